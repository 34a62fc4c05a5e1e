import PlimsollDocuments
import PlimsollDomain
import PlimsollExport
import PlimsollTestSupport
import Testing

/// The snapshot with some of its files alone, signed again.
func reduced(
    _ snapshot: VerifiedSnapshot,
    _ log: LogSketch,
    _ keys: SigningKeys,
    to isKept: (FileName) -> Bool
) throws -> VerifiedSnapshot {
    let whole = snapshot.manifest.manifest
    var manifest = Manifest(
        app: whole.app,
        isDefault: whole.isDefault,
        issue: whole.issue,
        files: whole.files.filter { isKept($0.name) }
    )
    manifest.basis = whole.basis
    let bytes = manifest.bytes
    let signatures = try #require(log.edition()).activeKeys.map {
        try Manifest.sign(bytes, with: try keys.signer(for: $0))
    }
    let bodies = snapshot.files.map { ($0.description.name, $0.body) }
    return try Manifest.verify(
        bytes,
        signatures: ManifestSignatures(signatures).bytes,
        keys: log.trustedKeys,
        expectedApp: harbour
    ).get().verify(Dictionary(uniqueKeysWithValues: bodies)).get()
}
