import Glibc

/// A file that is written piece by piece, and gets its name once it is whole.
///
/// A name that is taken is never written over; what is given up leaves nothing behind.
package final class GrowingFile: Sendable {
    private let path: Path
    private let temporary: Path
    private let descriptor: Descriptor

    package init(_ path: Path, permissions: Permissions = .ownerOnly) throws(FileError) {
        self.path = path
        temporary = TemporaryName.beside(path)
        descriptor = try temporary.writeUnsynchronized([], permissions: permissions)
    }

    deinit {
        _ = try? temporary.removeFile()
    }

    package func append(_ bytes: [UInt8]) throws(FileError) {
        try descriptor.write(bytes)
    }

    /// Makes the file last, and gives it its name; `EEXIST` where that is taken.
    package func finish() throws(FileError) {
        try descriptor.synchronize()
        try retrying(.create, path) { unsafe link(temporary.string, path.string) }
        try path.parent.synchronizeFolder()
    }
}

/// A file that is read piece by piece, line by line.
package struct LineSource: Sendable {
    private let file: OpenFile
    private var buffer: [UInt8] = []
    private var next = 0
    private let lengthMaximum: Int

    private static let pieceSize = 1 << 18
    private static let newline = UInt8(ascii: "\n")

    private final class OpenFile: Sendable {
        let descriptor: Descriptor

        init(_ path: Path) throws(FileError) {
            descriptor = try Descriptor(opening: path, O_RDONLY)
        }
    }

    package init(_ path: Path, lengthMaximum: Int) throws(FileError) {
        file = try OpenFile(path)
        self.lengthMaximum = lengthMaximum
    }

    /// The next line without its newline; `nil` at the end of the file.
    ///
    /// A line that is too long is cut into several, and what follows the last newline is a line.
    package mutating func line() throws(FileError) -> [UInt8]? {
        while true {
            if let end = buffer[next...].firstIndex(of: Self.newline) {
                defer { next = end + 1 }
                return Array(buffer[next..<end])
            }
            let rest = buffer.count - next
            let piece =
                rest >= lengthMaximum ? [] : try file.descriptor.read(upTo: Self.pieceSize)
            guard !piece.isEmpty else {
                defer { (buffer, next) = ([], 0) }
                return rest == 0 ? nil : Array(buffer[next...])
            }
            buffer.removeFirst(next)
            next = 0
            buffer += piece
        }
    }
}
