import Glibc

/// A disk that was full when something was to be written: says when there is room again, so that
/// nobody has to wait until it is tried the next time.
package struct FullDisk: Equatable, Sendable {
    private let path: Path
    private let free: Int64

    /// So much more has to be free: a disk is never as full twice.
    private static let step: Int64 = 65_536

    /// `nil` for a failure that has another cause, and where nobody can say.
    package init?(_ error: FileError, at path: Path) {
        guard error.isOutOfSpace, let free = try? path.freeBytes() else { return nil }
        (self.path, self.free) = (path, free)
    }

    /// Whether there is more room than when it was full.
    package var hasRoom: Bool {
        guard let now = try? path.freeBytes() else { return false }
        return now >= free + Self.step
    }
}

extension Path {
    /// How much an account without privileges can still write on the disk that this lies on.
    package func freeBytes() throws(FileError) -> Int64 {
        var record = statvfs()
        try retrying(.inspect, self) { unsafe statvfs(string, &record) }
        return Int64(clamping: UInt64(record.f_bavail) * UInt64(record.f_frsize))
    }
}
