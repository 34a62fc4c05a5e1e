import PlimsollDomain
package import PlimsollMarketplace
package import PlimsollSystem

/// Where packages lie, each revision of each version in a folder of its own that never changes.
///
/// ```
/// {version}/{revision}/manifest.json, signature, variant/…, delta/…
/// .incoming/{version}-{revision}/    what is not whole yet
/// .keys/{version}-{revision}.json    what licences need of each file
/// ```
///
/// A package gets its folder's name once everything in it is there, and for good. Names with a dot in
/// front are not for devices.
package struct PackageFolder: Sendable {
    package let root: Path

    package init(_ root: Path) { self.root = root }

    /// Where a package lies once it is whole.
    package func place(of manifest: PackageManifest) -> Path {
        manifest.place.folders.reduce(root) { $0 / $1 }
    }

    private func label(_ manifest: PackageManifest) -> String {
        "\(manifest.version)-\(manifest.revision)"
    }

    var incoming: Path { root / ".incoming" }
    func incoming(of manifest: PackageManifest) -> Path { incoming / label(manifest) }
    func lock(of manifest: PackageManifest) -> Path { lock(label(manifest)) }
    private func lock(_ label: String) -> Path { incoming / "\(label).lock" }
    func keys(of manifest: PackageManifest) -> Path { root / ".keys" / "\(label(manifest)).json" }

    /// The folders of earlier revisions of the same version, the latest first.
    func earlier(than manifest: PackageManifest) throws(FileError) -> [Path] {
        let versions = root / manifest.version.text
        guard try versions.isFolder() else { return [] }
        return try versions.entries().compactMap { Int64($0) }.filter { $0 < manifest.revision }
            .sorted(by: >).map { versions / "\($0)" }
    }

    /// For so long what broke off waits for somebody to go on with it.
    private static let patience = Duration.seconds(7 * 86_400)

    /// Takes away what was not whole a week after somebody last began or went on with it.
    ///
    /// Whoever is at it, in this process or another, holds its lock; taking that writes the time.
    func removeAbandoned(at now: Instant) throws(FileError) {
        let last = now.advanced(by: .zero - Self.patience).millisecondsSince1970 / 1000
        var failure: FileError?
        for label in try incoming.entries() where try (incoming / label).isFolder() {
            guard let begun = try lock(label).version(), begun.seconds < last else { continue }
            do {
                let held = try FileLock(lock(label))
                try (incoming / label).removeTree()
                _ = consume held
            } catch {
                if !error.isHeldByAnother { failure = failure ?? error }
            }
        }
        if let failure { throw failure }
    }
}

extension Path {
    /// A path below this one; its parts come from what was read strictly.
    static func / (folder: Path, asset: PackageAsset) -> Path {
        asset.path.split(separator: "/").reduce(folder) { $0 / String($1) }
    }
}
