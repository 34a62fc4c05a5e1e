import Dispatch
import PlimsollMarketplace
import PlimsollSystem
import Synchronization

/// Opens and reads packages for the threads that answer, on threads of its own.
///
/// Those that answer never wait for a disk, since phones would wait with them.
final class PackageDesk: Sendable {
    private let shelf: PackageShelf
    private let prefix: [UInt8]
    /// A file that is open is one more of those that the system counts with the connections.
    private let descriptors: Admission
    private let downloads: Admission
    private let queues: [DispatchQueue]
    private let turn = Atomic(0)
    private let waiting: Admission

    /// So many wait for a file to be opened, while the disk hangs.
    static let waitingMaximum = 256
    /// What an encrypted download holds in memory is bounded with this, and that it leaves places
    /// to phones.
    static let downloadsMaximum = 8192
    private static let threads = 4
    private static let nameBytesMaximum = 160

    init(_ settings: PackageSettings, descriptors: Admission, connectionsMaximum: Int) {
        shelf = PackageShelf(settings.folder)
        prefix = Array(settings.path.utf8)
        self.descriptors = descriptors
        downloads = Admission(maximum: max(1, min(Self.downloadsMaximum, connectionsMaximum / 4)))
        waiting = Admission(maximum: Self.waitingMaximum)
        queues = (0..<Self.threads).map { DispatchQueue(label: "plimsoll.edge.packages.\($0)") }
    }

    /// The file that a path names, whether it is there or not.
    func name(at path: Range<Int>, in bytes: Span<UInt8>) -> PackageFileName? {
        let count = path.count - prefix.count
        guard (1...Self.nameBytesMaximum).contains(count) else { return nil }
        for (place, byte) in prefix.enumerated() where bytes[path.lowerBound + place] != byte {
            return nil
        }
        let name = Array(copying: bytes.extracting(path.dropFirst(prefix.count)))
        return PackageFileName(Substring(decoding: name, as: UTF8.self))
    }

    /// Whether it will be delivered, on another thread; not where too many wait already.
    func open(
        _ name: PackageFileName,
        deliver: @escaping @Sendable (Delivery) -> Void
    ) -> Bool {
        guard let place = BodyPlace(among: waiting) else { return false }
        queue.async { [self] in
            let delivery = find(name)
            withExtendedLifetime(place) {}
            deliver(delivery)
        }
        return true
    }

    private func find(_ name: PackageFileName) -> Delivery {
        guard let download = BodyPlace(among: downloads),
            let descriptor = BodyPlace(among: descriptors)
        else { return .packagesBusy }
        do {
            guard let (file, facts) = try shelf.file(name) else { return .package(nil) }
            return .package(PackageFile(file, facts, holding: [download, descriptor]))
        } catch {
            // A disk that cannot be read says nothing about what lies on it.
            return .packagesBusy
        }
    }

    /// Brings a part of a file into memory.
    func read(_ part: FilePart, upTo count: Int, deliver: @escaping @Sendable ([UInt8]?) -> Void) {
        queue.async { deliver(part.file.bytes(at: part.place, upTo: part.count(upTo: count))) }
    }

    private var queue: DispatchQueue {
        queues[turn.wrappingAdd(1, ordering: .relaxed).newValue & (Self.threads - 1)]
    }
}

/// A file of a package while it is handed out.
final class PackageFile: Sendable {
    let facts: WholePackage.Facts
    private let file: ServedFile
    private let places: [BodyPlace]

    init(_ file: ServedFile, _ facts: WholePackage.Facts, holding places: [BodyPlace]) {
        (self.file, self.facts, self.places) = (file, facts, places)
    }

    func part(_ range: Range<Int64>) -> FilePart { FilePart(self, file, range) }
}

/// What is still to be sent of a file.
struct FilePart: Sendable {
    let file: ServedFile
    private(set) var place: Int64
    private let end: Int64
    private let owner: PackageFile

    init(_ owner: PackageFile, _ file: ServedFile, _ range: Range<Int64>) {
        (self.owner, self.file) = (owner, file)
        (place, end) = (range.lowerBound, range.upperBound)
    }

    var isEmpty: Bool { place >= end }

    func count(upTo maximum: Int) -> Int { Int(min(Int64(maximum), end - place)) }

    mutating func drop(_ count: Int) { place += Int64(count) }

    func isInMemory(upTo maximum: Int) -> Bool {
        file.isInMemory(place..<place + Int64(count(upTo: maximum)))
    }
}
