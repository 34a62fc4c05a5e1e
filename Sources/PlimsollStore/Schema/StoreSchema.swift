/// The SQL that makes the database what this program expects.
package enum StoreSchema {
    /// Forward only; none is changed once it has been part of a release.
    package static let migrations: [(name: String, sql: [UInt8])] = [
        ("m0001_log", PackageResources.m0001_log_sql),
        ("m0002_append", PackageResources.m0002_append_sql),
        ("m0003_projection", PackageResources.m0003_projection_sql),
        ("m0004_fold", PackageResources.m0004_fold_sql),
        ("m0005_directory", PackageResources.m0005_directory_sql),
        ("m0006_checkpoints", PackageResources.m0006_checkpoints_sql),
        ("m0007_audit", PackageResources.m0007_audit_sql),
        ("m0008_documents", PackageResources.m0008_documents_sql),
        ("m0009_generations", PackageResources.m0009_generations_sql),
        ("m0010_plain_append", PackageResources.m0010_plain_append_sql),
        ("m0011_revisions", PackageResources.m0011_revisions_sql),
        ("m0012_webhooks", PackageResources.m0012_webhooks_sql),
    ]

    /// What the migrations add up to, as people read it.
    package static let whole: [UInt8] = PackageResources.schema_sql

    /// The role as which the service works; it owns nothing.
    package static let serviceRole = "plimsoll_service"
}
