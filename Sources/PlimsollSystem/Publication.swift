import Glibc

/// A file that is to be published with others.
package struct PublishedFile: Sendable, Hashable {
    package let name: String
    package let bytes: [UInt8]

    package init(name: String, bytes: [UInt8]) {
        precondition(
            !name.isEmpty && !name.contains("/") && name != "." && name != "..",
            "a published file lies directly in its folder"
        )
        self.name = name
        self.bytes = bytes
    }
}

/// Publishes several files as one: all of them appear, whole, or none.
///
/// The order, and why it holds whatever dies between two lines:
///
/// 1. The files are written into a temporary folder beside the destination. Nobody looks there.
/// 2. Each file is synchronized, after all are written and on their way to the disk: the file
///    system then has the whole batch in one journal transaction, and the later calls find little
///    left to do. Without that hint it finds room for each file's bytes when that file is
///    synchronized, and ext4 commits its journal once for each.
/// 3. The temporary folder is synchronized: now names and bytes are on the disk.
/// 4. It is renamed to the destination. That name therefore never stands for less than all.
/// 5. The folder above is synchronized. Only then may something point to the destination, such
///    as `current`: a link that survives a power cut must not lead to a name that did not.
///
/// So a snapshot of *n* files costs *n* + 2 synchronizations, of which two wait for the journal as
/// a commit of a database does. Step 2 cannot be left out: a rename does not wait for the data, and
/// a file that lost its bytes under its published name is what this type exists to prevent. The
/// switch of a link afterwards needs none of its own before it is shown to readers
/// (``Path/Durability/later``).
package enum FolderPublication {
    /// Who made what stands at the destination now: this call, or an earlier one.
    package enum Outcome: Sendable, Hashable {
        case published
        /// Something stood there already and was left as it is; it is for the caller to check.
        case alreadyThere
    }

    /// The folder above `destination` must exist.
    package static func publish(
        _ files: [PublishedFile],
        as destination: Path
    ) throws(FileError) -> Outcome {
        precondition(
            Set(files.map(\.name)).count == files.count,
            "two files of one folder have two names"
        )
        guard try destination.status() == nil else { return try leave(destination) }
        let temporary = TemporaryName.beside(destination)
        do {
            try fill(temporary, with: files)
            try temporary.rename(to: destination)
        } catch {
            // The first error is the one that explains; a leftover is swept at the next start.
            _ = try? temporary.removeTree()
            if error.operation == .rename, error.isAlreadyThere {
                return try leave(destination)
            }
            throw error
        }
        try FaultPoint.reached("files.publish.renamed")
        try destination.parent.synchronizeFolder()
        try FaultPoint.reached("files.publish.done")
        return .published
    }

    /// Whoever put it there may have ended before the folder above was synchronized.
    private static func leave(_ destination: Path) throws(FileError) -> Outcome {
        try destination.parent.synchronizeFolder()
        return .alreadyThere
    }

    private static func fill(
        _ folder: Path,
        with files: [PublishedFile]
    ) throws(FileError) {
        try folder.createFolderAlone(permissions: .folderForAll)
        try FaultPoint.reached("files.publish.created")
        for file in files {
            let descriptor = try (folder / file.name)
                .writeUnsynchronized(file.bytes, permissions: .readableByAll)
            descriptor.beginSynchronizing()
            try FaultPoint.reached("files.publish.written")
        }
        for file in files {
            // Closing and opening again loses no error: since Linux 4.13 a failed write-back
            // is reported to the first synchronization of any descriptor of the file.
            try Descriptor(opening: folder / file.name, O_RDONLY).synchronize()
            try FaultPoint.reached("files.publish.file-synchronized")
        }
        try folder.synchronizeFolder()
        try FaultPoint.reached("files.publish.folder-synchronized")
    }
}

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
        try FaultPoint.reached("files.grow.synchronized")
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

extension Path {
    /// Writes a file so that a reader, or a start after a power cut, finds the former one or
    /// this one, whole.
    ///
    /// The bytes go to a temporary name in the same folder, or another one of the same disk, and are synchronized *before* the
    /// rename: a rename may reach the disk earlier than the data, and then the new name would
    /// stand for an empty file. The folder is synchronized after it, so that what was
    /// acknowledged stays. A failed synchronization is final: the kernel may have dropped the
    /// pages, so the file is discarded, not synchronized again.
    package func writeDurably(
        _ bytes: [UInt8],
        permissions: Permissions = .readableByAll,
        preparedIn folder: Path? = nil
    ) throws(FileError) {
        let temporary = TemporaryName.of(self, in: folder)
        do {
            try temporary.writeSynchronized(bytes, permissions: permissions)
            try FaultPoint.reached("files.write.synchronized")
            try temporary.rename(to: self)
        } catch {
            _ = try? temporary.removeFile()
            throw error
        }
        try FaultPoint.reached("files.write.renamed")
        try parent.synchronizeFolder()
    }

    /// Writes a file only where there is none yet; `EEXIST` otherwise, and the file stays.
    ///
    /// For what must never be replaced, such as a private key: of two writers one wins.
    package func writeDurablyOnce(
        _ bytes: [UInt8],
        permissions: Permissions
    ) throws(FileError) {
        let temporary = TemporaryName.beside(self)
        defer { _ = try? temporary.removeFile() }
        try temporary.writeSynchronized(bytes, permissions: permissions)
        try FaultPoint.reached("files.write.synchronized")
        // Unlike rename(2), link(2) refuses a name that is taken.
        try retrying(.create, self) { unsafe link(temporary.string, string) }
        try parent.synchronizeFolder()
    }

    func writeSynchronized(
        _ bytes: [UInt8],
        permissions: Permissions
    ) throws(FileError) {
        let descriptor = try writeUnsynchronized(bytes, permissions: permissions)
        try descriptor.synchronize()
    }

    func writeUnsynchronized(
        _ bytes: [UInt8],
        permissions: Permissions
    ) throws(FileError) -> Descriptor {
        let descriptor = try Descriptor(
            opening: self,
            O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
            permissions: .ownerOnly,
            for: .create
        )
        try descriptor.setPermissions(permissions)
        try descriptor.write(bytes)
        return descriptor
    }
}

/// Names for what is not whole yet.
///
/// They begin with a mark of their own, so that what a killed process left behind is known and
/// swept, and carry the process's id and a random number, so that two writers never meet.
package enum TemporaryName {
    private static let mark = ".unfinished-"

    package static func isTemporary(_ name: String) -> Bool {
        name.hasPrefix(mark)
    }

    static func beside(_ path: Path) -> Path { of(path, in: nil) }

    static func of(_ path: Path, in folder: Path?) -> Path {
        (folder ?? path.parent) / "\(mark)\(getpid())-\(UInt64.random(in: .min ... .max))"
    }
}

extension Path {
    /// Removes what earlier, interrupted writers left in this folder; answers the names.
    ///
    /// Without an age only for the one writer of the folder: the unfinished work of another would
    /// go too. What was written within the age stays.
    @discardableResult
    package func removeLeftovers(olderThan age: Duration? = nil) throws(FileError) -> [String] {
        var removed: [String] = []
        for name in try entries() where TemporaryName.isTemporary(name) {
            let leftover = self / name
            if let age, try !leftover.isOlder(than: age) { continue }
            try leftover.removeTree()
            removed.append(name)
        }
        return removed
    }

    private func isOlder(than age: Duration) throws(FileError) -> Bool {
        guard let version = try version() else { return false }
        return Int64(time(nil) - version.seconds) > age.components.seconds
    }
}
