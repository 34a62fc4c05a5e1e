import CLinux
import Glibc

/// A file whose bytes are handed out, by any thread and from any place in it.
///
/// On the way to it no symbolic link is followed: who can write into the folder cannot have files
/// handed out that lie elsewhere.
package final class ServedFile: Sendable {
    private let descriptor: Descriptor
    package let size: Int64
    /// Which file it is, and when it was changed last.
    package let version: FileVersion
    /// Whether that is long enough ago: a file system's clock may stand still for a moment in which a
    /// file is written twice.
    package let isSettled: Bool

    private static let settling = 2

    var number: CInt { descriptor.raw }

    /// Takes the names that lead to it; `nil` where no plain file is there.
    package init?(_ names: [String], below root: Path) throws(FileError) {
        guard let descriptor = try Self.open(names, below: root) else { return nil }
        let (status, version) = try descriptor.look()
        guard status.kind == .file else { return nil }
        self.version = version
        isSettled = version.seconds + Self.settling < time(nil)
        self.descriptor = descriptor
        size = Int64(status.size)
    }

    private static func open(
        _ names: [String],
        below root: Path
    ) throws(FileError) -> Descriptor? {
        do {
            var place = try Descriptor(opening: root, O_RDONLY | O_DIRECTORY)
            for (number, name) in names.enumerated() {
                precondition(
                    !name.isEmpty && name != ".." && !name.utf8.contains { $0 == 0 || $0 == 0x2F },
                    "a name leads one step down"
                )
                let isLast = number == names.count - 1
                // A pipe there would make its opener wait.
                let kind = isLast ? O_NONBLOCK : O_DIRECTORY
                place = try Descriptor(opening: name, in: place, O_RDONLY | kind)
            }
            return place
        } catch {
            guard error.isMissing || error.code == ELOOP else { throw error }
            return nil
        }
    }

    /// What lies at a place, as far as it can be had without waiting for the disk; `nil` where none
    /// of it can, or nobody knows.
    package func bytesInMemory(at place: Int64, upTo count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        let read = unsafe bytes.withUnsafeMutableBytes {
            unsafe csockets_read_in_memory(number, $0.baseAddress, $0.count, place)
        }
        guard read > 0 else { return nil }
        bytes.removeSubrange(read...)
        return bytes
    }

    /// Whether a part can be had without waiting for the disk, to judge by both its ends.
    package func isInMemory(_ part: Range<Int64>) -> Bool {
        bytesInMemory(at: part.lowerBound, upTo: 1) != nil
            && bytesInMemory(at: part.upperBound - 1, upTo: 1) != nil
    }

    /// Waits for the disk; `nil` where the file cannot be read there.
    package func bytes(at place: Int64, upTo count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        let read = unsafe bytes.withUnsafeMutableBytes { buffer in
            var read = -1
            repeat {
                read = unsafe pread(number, buffer.baseAddress, buffer.count, Int(place))
            } while read < 0 && errno == EINTR
            return read
        }
        guard read > 0 else { return nil }
        bytes.removeSubrange(read...)
        return bytes
    }
}

/// Clients that vanish while they are sent to.
package enum BrokenPipes {
    /// From now on writing to them fails, and does not end the process.
    package static func survive() {
        csockets_survive_broken_pipes()
    }
}
