import PlimsollMarketplace
import PlimsollSystem

/// Finds the packages that requests are for.
final class PackageLookup: Sendable {
    private let index: PackageIndex
    private let prefix: [UInt8]
    private let files: FileWorkers

    static let downloadsMaximum = 8192
    private static let nameBytesMaximum = 160

    init(_ settings: PackageSettings, descriptors: Admission, connectionsMaximum: Int) {
        index = PackageIndex(settings.folder)
        prefix = Array(settings.path.utf8)
        let downloads = max(1, min(Self.downloadsMaximum, connectionsMaximum / 4))
        files = FileWorkers(
            "packages",
            FileWorkers.Limits(waiting: 256, downloads: downloads, threads: 4),
            descriptors: descriptors,
            busy: .packagesBusy
        )
    }

    /// The file that a path names, whether it is there or not.
    func name(at path: Range<Int>, in bytes: Span<UInt8>) -> PackageFileName? {
        let maximum = prefix.count + Self.nameBytesMaximum
        return bytes.text(of: path, behind: prefix, upTo: maximum)
            .flatMap { PackageFileName(Substring($0)) }
    }

    /// What is said at once, or else delivered on another thread.
    func open(
        _ name: PackageFileName,
        deliver: @escaping @Sendable (Delivery) -> Void
    ) -> Delivery? {
        files.open(
            { [index] () throws(FileError) in try index.file(name) },
            deliver: deliver
        )
    }
}
