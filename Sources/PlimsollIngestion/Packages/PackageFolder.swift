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
    func lock(of manifest: PackageManifest) -> Path { incoming / "\(label(manifest)).lock" }
    func keys(of manifest: PackageManifest) -> Path { root / ".keys" / "\(label(manifest)).json" }

    /// The folders of earlier revisions of the same version, the latest first.
    func earlier(than manifest: PackageManifest) throws(FileError) -> [Path] {
        let versions = root / manifest.version.text
        guard try versions.isFolder() else { return [] }
        return try versions.entries().compactMap { Int64($0) }.filter { $0 < manifest.revision }
            .sorted(by: >).map { versions / "\($0)" }
    }
}

extension Path {
    /// A path below this one; its parts come from what was read strictly.
    static func / (folder: Path, asset: PackageAsset) -> Path {
        asset.path.split(separator: "/").reduce(folder) { $0 / String($1) }
    }
}
