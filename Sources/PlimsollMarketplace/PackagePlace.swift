package import PlimsollDomain

/// Where a package lies below all packages: `{version}/{revision}/`, with its files under the names
/// that the manifest gives them.
package struct PackagePlace: Hashable, Sendable {
    package let version: AppleVersionID
    package let revision: Int64

    package static let manifest = "manifest.json"
    package static let signature = "signature"

    /// As addresses have it, with a slash behind.
    package var name: String { "\(version)/\(revision)/" }

    /// The folders that lead to a package.
    package var folders: [String] { [version.text, "\(revision)"] }
}

extension PackageManifest {
    package var place: PackagePlace { PackagePlace(version: version, revision: revision) }
}

/// A file of a package, as addresses name it.
package struct PackageFileName: Hashable, Sendable {
    package let place: PackagePlace
    /// Below the place, with slashes.
    package let path: String

    package init(_ path: String, of place: PackagePlace) {
        (self.path, self.place) = (path, place)
    }

    /// Reads `{version}/{revision}/{file}`; `nil` for what no file of a package is called.
    ///
    /// Each file has one name and no other: nothing is decoded, and no part may be empty or have a
    /// dot in front.
    package init?(_ text: Substring) {
        let parts = text.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let version = AppleVersionID(String(parts[0])),
            version.text == parts[0], let revision = Int64(parts[1]), revision > 0,
            "\(revision)" == parts[1], Self.isFile(parts[2])
        else { return nil }
        self.init(String(parts[2]), of: PackagePlace(version: version, revision: revision))
    }

    private static func isFile(_ path: Substring) -> Bool {
        if path == PackagePlace.manifest || path == PackagePlace.signature { return true }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == "variant" || parts[0] == "delta",
            parts[1].hasSuffix(".ipa")
        else { return false }
        return PackageID(String(parts[1].dropLast(4))) != nil
    }

    /// The names that lead to it, from the folder of all packages.
    package var names: [String] { place.folders + path.split(separator: "/").map(String.init) }
}
