import Glibc

/// How much room there was on a disk before something was written to it: where that did not fit,
/// says when there is more, so that nobody has to wait until it is tried the next time.
package struct DiskRoom: Equatable, Sendable {
    private let path: Path
    /// `nil` where nobody can say.
    private let free: Int64?

    /// So much more has to be free: a disk is never as full twice.
    private static let step: Int64 = 65_536

    package init(at path: Path) {
        self.path = path
        free = try? path.freeBytes()
    }

    package var hasGrown: Bool {
        guard let free, let now = try? path.freeBytes() else { return false }
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
