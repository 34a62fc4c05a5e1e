import PlimsollDocuments
import PlimsollDomain

/// Where everything lies in a store: names only.
///
/// ```
/// snapshots/{app}/{sequence}-{digest}/…   never changed: all files, manifest and signatures
/// distribution/{app}/{file}               what phones fetch, each with its signature beside it
/// distribution/{file}                     the same of the default app
/// current/{app}                           which snapshot is current, written last
/// ```
///
/// The digest is the beginning of the manifest's: a snapshot that was lost and signed anew has the
/// number of the first, and must not be mixed with it.
enum StoreLayout {
    static func pointer(of app: AppSlug) -> String { "current/\(app)" }

    static func snapshot(
        _ sequence: SnapshotSequence,
        _ digest: ContentDigest,
        of app: AppSlug
    ) -> String {
        "snapshots/\(app)/\(sequence)-\(digest.hex.prefix(16))"
    }

    /// The public addresses of a file, without the slash before them.
    static func addresses(of name: String, _ app: AppSlug, isDefault: Bool) -> [String] {
        let own = "distribution/\(app)/\(name)"
        return isDefault ? [own, "distribution/\(name)"] : [own]
    }
}
