import Crypto
import PlimsollMarketplace
package import PlimsollSystem
import Synchronization

/// The folder of packages that an edge serves, and below which path.
package struct PackageSettings: Equatable, Sendable {
    package let folder: Path
    /// With a slash at both ends.
    package let path: String

    package static let grammar =
        "a path such as /packages/, with a slash at both ends, of letters, digits, hyphens and dots"
    package static let usualPath = "/packages/"
    private static let pathBytesMaximum = 200

    /// Takes a folder by its absolute path; `nil` where the path of the addresses is none.
    package init?(folder: String, path: String = usualPath) {
        guard folder.hasPrefix("/"), path.hasPrefix("/"), path.hasSuffix("/"),
            path.utf8.count <= Self.pathBytesMaximum,
            path.utf8.allSatisfy({ $0 == .slash || $0 == 0x2D || $0 == 0x2E || $0.isLetterOrDigit })
        else { return nil }
        (self.folder, self.path) = (Path(folder), path)
    }
}

extension UInt8 {
    fileprivate var isLetterOrDigit: Bool { isDigit || (0x61...0x7A).contains(self | 0x20) }
}

/// Packages as they lie on the disk, each known once it is whole.
///
/// A package never changes, so what its manifest says is read once. What is not there whole is not
/// there: a folder that somebody is copying has no address yet.
final class PackageIndex: Sendable {
    private let folder: Path
    private let known = Mutex<[PackagePlace: WholePackage]>([:])

    /// Beyond it all are read anew; a marketplace has a few.
    private static let packagesMaximum = 512

    init(_ folder: Path) { self.folder = folder }

    /// Waits for the disk; `nil` where there is no such file, or its package is not whole.
    func file(_ name: PackageFileName) throws(FileError) -> (ServedFile, FileFacts)? {
        guard let facts = try package(at: name.place)?.files[name.path],
            let file = try ServedFile(name.names, below: folder), file.size == facts.size
        else { return nil }
        return (file, facts)
    }

    private func package(at place: PackagePlace) throws(FileError) -> WholePackage? {
        if let package = known.withLock({ $0[place] }) { return package }
        guard let package = try WholePackage(at: place, below: folder) else { return nil }
        known.withLock { known in
            if known.count >= Self.packagesMaximum { known = [:] }
            known[place] = package
        }
        return package
    }
}

/// What is told of the files of a package that lies whole in its folder.
struct WholePackage: Sendable {
    /// By their paths below the package's place.
    let files: [String: FileFacts]

    private static let bytes = "application/octet-stream"
    private static let signatureMaximum = 1 << 20

    /// `nil` where a file is missing, or has another size than the manifest says.
    init?(at place: PackagePlace, below root: Path) throws(FileError) {
        guard
            let manifest = try Self.content(
                PackagePlace.manifest,
                of: place,
                below: root,
                upTo: PackageManifest.sizeMaximum
            ),
            let signature = try Self.content(
                PackagePlace.signature,
                of: place,
                below: root,
                upTo: Self.signatureMaximum
            ),
            let content = try? PackageManifest(parsing: manifest), content.place == place
        else { return nil }
        var files = [
            PackagePlace.manifest: FileFacts(manifest, "application/json"),
            PackagePlace.signature: FileFacts(signature, Self.bytes),
        ]
        for asset in content.assets {
            let name = PackageFileName(asset.path, of: place)
            guard let file = try ServedFile(name.names, below: root), file.size == asset.size
            else { return nil }
            files[asset.path] = FileFacts(asset, Self.bytes)
        }
        self.files = files
    }

    private static func content(
        _ path: String,
        of place: PackagePlace,
        below root: Path,
        upTo maximum: Int
    ) throws(FileError) -> [UInt8]? {
        let names = PackageFileName(path, of: place).names
        return try ServedFile(names, below: root)?.bytes(ifAtMost: maximum)
    }
}

extension FileFacts {
    /// The digests of all pieces stand for the bytes, which need not be read.
    fileprivate init(_ asset: PackageAsset, _ mediaType: String) {
        var hash = SHA256()
        hash.update(data: Array("\(asset.size):\(asset.chunks.chunkSize)".utf8))
        for digest in asset.chunks.digests { hash.update(data: Array(":\(digest)".utf8)) }
        self.init(size: asset.size, tag: EntityTag(digest: hash.finalize()), mediaType: mediaType)
    }
}
