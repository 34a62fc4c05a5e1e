import Crypto
import Dispatch
import PlimsollSystem
import Synchronization

/// Opens and reads files for the threads that answer, on threads of its own.
///
/// Those that answer never wait for a disk, since phones would wait with them.
final class FileWorkers: Sendable {
    /// How much may go on at once.
    struct Limits {
        /// So many wait for a file to be opened, while the disk hangs.
        let waiting: Int
        /// What an encrypted download holds in memory is bounded with this, and that it leaves
        /// places to phones.
        let downloads: Int
        let threads: Int
    }

    /// A file that is open is one more of those that the system counts with the connections.
    private let descriptors: Admission
    private let downloads: Admission
    private let waiting: Admission
    private let queues: [DispatchQueue]
    private let turn = Atomic(0)
    /// What is answered where too many are here already.
    private let busy: Delivery

    init(_ name: String, _ limits: Limits, descriptors: Admission, busy: AnswerStatus) {
        self.descriptors = descriptors
        self.busy = .busy(busy)
        downloads = Admission(maximum: limits.downloads)
        waiting = Admission(maximum: limits.waiting)
        queues = (0..<limits.threads).map { DispatchQueue(label: "plimsoll.edge.\(name).\($0)") }
    }

    /// What is said at once, where too many wait already; else nil, and what is found is delivered on
    /// another thread.
    func open(
        _ find: @escaping @Sendable () throws(FileError) -> (ServedFile, FileFacts)?,
        deliver: @escaping @Sendable (Delivery) -> Void
    ) -> Delivery? {
        guard let place = BodyPlace(among: waiting) else { return busy }
        queue.async { [self] in
            let delivery = delivery(find)
            withExtendedLifetime(place) {}
            deliver(delivery)
        }
        return nil
    }

    private func delivery(
        _ find: () throws(FileError) -> (ServedFile, FileFacts)?
    ) -> Delivery {
        guard let download = BodyPlace(among: downloads),
            let descriptor = BodyPlace(among: descriptors)
        else { return busy }
        do throws(FileError) {
            guard let (file, facts) = try find() else { return .file(nil) }
            let places = [download, descriptor]
            return .file(OpenFile(file, facts, holding: places, readBy: self))
        } catch {
            // A disk that cannot be read says nothing about what lies on it.
            return busy
        }
    }

    fileprivate func read(
        _ part: FilePart,
        upTo count: Int,
        deliver: @escaping @Sendable ([UInt8]?) -> Void
    ) {
        queue.async { deliver(part.file.bytes(at: part.place, upTo: part.count(upTo: count))) }
    }

    private var queue: DispatchQueue {
        queues[turn.wrappingAdd(1, ordering: .relaxed).newValue % queues.count]
    }
}

/// What is told of a file.
struct FileFacts: Sendable {
    let size: Int64
    let tag: EntityTag
    let mediaType: String
    /// For whom it never changes under its name, unless told otherwise.
    var cacheControl = FileFacts.immutable

    static let immutable = "public, max-age=31536000, immutable"
}

extension FileFacts {
    /// Takes all that is in it.
    init(_ bytes: [UInt8], _ mediaType: String, _ cacheControl: String = immutable) {
        self.init(
            size: Int64(bytes.count),
            tag: EntityTag(digest: SHA256.hash(data: bytes)),
            mediaType: mediaType,
            cacheControl: cacheControl
        )
    }
}

/// A file while it is handed out.
final class OpenFile: Sendable {
    let facts: FileFacts
    private let file: ServedFile
    private let places: [BodyPlace]
    fileprivate let workers: FileWorkers

    init(
        _ file: ServedFile,
        _ facts: FileFacts,
        holding places: [BodyPlace],
        readBy workers: FileWorkers
    ) {
        (self.file, self.facts, self.places, self.workers) = (file, facts, places, workers)
    }

    func part(_ range: Range<Int64>) -> FilePart { FilePart(self, file, range) }
}

/// What is still to be sent of a file.
struct FilePart: Sendable {
    let file: ServedFile
    private(set) var place: Int64
    private let end: Int64
    private let owner: OpenFile

    init(_ owner: OpenFile, _ file: ServedFile, _ range: Range<Int64>) {
        (self.owner, self.file) = (owner, file)
        (place, end) = (range.lowerBound, range.upperBound)
    }

    var isEmpty: Bool { place >= end }

    func count(upTo maximum: Int) -> Int { Int(min(Int64(maximum), end - place)) }

    mutating func drop(_ count: Int) { place += Int64(count) }

    func isInMemory(upTo maximum: Int) -> Bool {
        file.isInMemory(place..<place + Int64(count(upTo: maximum)))
    }

    /// Brings its beginning into memory, on a thread that may wait for the disk.
    func read(upTo count: Int, deliver: @escaping @Sendable ([UInt8]?) -> Void) {
        owner.workers.read(self, upTo: count, deliver: deliver)
    }
}

extension ServedFile {
    /// All that is in it; `nil` where that is more, or cannot be read whole.
    func bytes(ifAtMost maximum: Int) -> [UInt8]? {
        guard size <= maximum else { return nil }
        guard size > 0 else { return [] }
        let bytes = bytes(at: 0, upTo: Int(size))
        return bytes?.count == Int(size) ? bytes : nil
    }
}
