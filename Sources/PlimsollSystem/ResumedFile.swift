import Glibc

/// A file that is written over several lives of a process: what came before is read first, and what
/// is missing is added.
///
/// Its bytes may be anything after a power cut; whoever resumes it looks at them again.
package final class ResumedFile: Sendable {
    private let path: Path
    private let descriptor: Descriptor

    /// Opens it at its beginning; it is made where it is missing.
    package init(_ path: Path, permissions: Permissions = .readableByAll) throws(FileError) {
        self.path = path
        descriptor = try Descriptor(
            opening: path,
            O_RDWR | O_CREAT | O_NOFOLLOW,
            permissions: permissions,
            for: .create
        )
    }

    /// The next bytes; none at the end.
    package func read(upTo count: Int) throws(FileError) -> [UInt8] {
        try descriptor.read(upTo: count)
    }

    /// Drops what lies behind a place, and goes on there.
    package func cut(at size: Int64) throws(FileError) {
        try retrying(.write, path) { ftruncate(descriptor.raw, Int(size)) }
        try retrying(.write, path) { lseek(descriptor.raw, Int(size), SEEK_SET) }
    }

    package func append(_ bytes: [UInt8]) throws(FileError) {
        try descriptor.write(bytes)
    }

    package func synchronize() throws(FileError) {
        try descriptor.synchronize()
    }
}

extension Path {
    /// Gives the file a second name; the caller makes the folder's names last.
    package func giveSecondName(_ other: Path) throws(FileError) {
        try retrying(.link, other) { unsafe Glibc.link(string, other.string) }
    }
}
