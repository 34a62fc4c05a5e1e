import PlimsollDocuments
import PlimsollDomain
import PlimsollPublishing
import PlimsollTestSupport
import Testing

/// The snapshot with some of its files alone, signed again.
func reduced(
    _ snapshot: VerifiedSnapshot,
    _ log: LogBuilder,
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
    let bodies = snapshot.files.map { ($0.description.name, $0.body) }
    return try signed(manifest, Dictionary(uniqueKeysWithValues: bodies), log, keys)
}

/// The snapshot with other words in one of its files, signed again, and with another basis.
func reworded(
    _ snapshot: VerifiedSnapshot,
    _ log: LogBuilder,
    _ keys: SigningKeys,
    _ name: FileName,
    on basis: SnapshotBasis?
) throws -> VerifiedSnapshot {
    let whole = snapshot.manifest.manifest
    let body = Array("{}".utf8)
    let files = try whole.files.map { file in
        guard file.name == name else { return file }
        let date = SignatureDate(whole.issue.issuedAt)
        let digest = DistributionSignature.digest(date: date, body: body)
        return ManifestFile(
            name: name,
            mediaType: file.mediaType,
            body: body,
            sequence: whole.sequence,
            signatures: try signers(log, keys).map {
                DistributionSignature(date: date, signature: try $0.signature(over: digest))
            }
        )
    }
    var manifest = Manifest(
        app: whole.app,
        isDefault: whole.isDefault,
        issue: whole.issue,
        files: files
    )
    manifest.basis = basis
    var bodies = Dictionary(
        uniqueKeysWithValues: snapshot.files.map { ($0.description.name, $0.body) }
    )
    bodies[name] = body
    return try signed(manifest, bodies, log, keys)
}

private func signers(_ log: LogBuilder, _ keys: SigningKeys) throws -> [ContentSigner] {
    try #require(log.edition()).activeKeys.map { try keys.signer(for: $0) }
}

private func signed(
    _ manifest: Manifest,
    _ bodies: [FileName: [UInt8]],
    _ log: LogBuilder,
    _ keys: SigningKeys
) throws -> VerifiedSnapshot {
    let bytes = manifest.bytes
    let signatures = try signers(log, keys).map { try Manifest.sign(bytes, with: $0) }
    return try Manifest.verify(
        bytes,
        signatures: ManifestSignatures(signatures).bytes,
        keys: log.trustedKeys,
        expectedApp: harbour
    ).verify(bodies)
}
