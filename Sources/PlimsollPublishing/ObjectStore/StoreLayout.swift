import PlimsollDocuments
import PlimsollDomain

/// Where everything lies in a store: names only.
///
/// ```
/// snapshots/{app}/{sequence}-{digest}/…   never changed: all files, manifest and signatures
/// distribution/{app}/{file}               what phones fetch, each with its signature beside it
/// distribution/{file}                     the same of the default app
/// distribution/{app}/keys/{keyId}/{file}  the same with the signature of that key
/// current/{app}                           which snapshot is current, written last of all these
/// revoked/{app}                           the compromised keys of which nothing is left
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
        "\(snapshots(of: app))\(sequence)-\(digest.hex.prefix(16))"
    }

    /// What all snapshots of an app lie under.
    static func snapshots(of app: AppSlug) -> String { "snapshots/\(app)/" }

    static func revoked(of app: AppSlug) -> String { "revoked/\(app)" }

    /// What everything lies under that is fetched of an app.
    static func distribution(of app: AppSlug) -> String { "distribution/\(app)/" }

    /// The public address of a file as one key has signed it.
    static func address(of name: String, _ app: AppSlug, signedBy key: KeyID) -> String {
        "\(distribution(of: app))keys/\(key)/\(name)"
    }

    /// The public addresses of a file that name no key, without the slash before them.
    static func addresses(of name: String, _ app: AppSlug, isDefault: Bool) -> [String] {
        let own = "\(distribution(of: app))\(name)"
        return isDefault ? [own, shared(name)] : [own]
    }

    /// The public address of a file of the default app.
    static func shared(_ name: String) -> String { "distribution/\(name)" }

    /// The addresses of the default app where it has nothing, and one before it may have had.
    static func sharedWithout(_ manifest: Manifest) -> [String] {
        guard manifest.isDefault else { return [] }
        let names =
            Platform.allCases.compactMap(AvailabilityDocument.fileName)
            + [PrinceDocument.fileName]
        return Set(names).subtracting(manifest.files.map(\.name)).map(\.text).sorted().map(shared)
    }
}
