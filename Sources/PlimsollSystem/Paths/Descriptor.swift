import Glibc

/// An open file descriptor, closed exactly once.
struct Descriptor: ~Copyable {
    let raw: CInt
    let path: Path

    init(
        opening path: Path,
        _ flags: CInt,
        permissions: Permissions = .ownerOnly,
        for operation: FileError.Operation = .open
    ) throws(FileError) {
        raw = try retrying(operation, path) {
            unsafe open(path.string, flags | O_CLOEXEC, permissions.rawValue)
        }
        self.path = path
    }

    deinit {
        close(raw)
    }

    /// Has the system begin to write what was written here, and does not wait for it.
    ///
    /// It is a hint and promises nothing: only ``synchronize()`` does, and it has less to wait for
    /// then.
    borrowing func beginSynchronizing() {
        // PostgreSQL flushes in the same way where there is no sync_file_range(2), which Glibc's
        // module leaves out: Linux begins to write back before it lets go of what is clean.
        _ = posix_fadvise(raw, 0, 0, POSIX_FADV_DONTNEED)
    }

    borrowing func synchronize() throws(FileError) {
        try retrying(.synchronize, path) { fsync(raw) }
    }

    /// Exactly what is asked for, whatever the process's umask takes away on creation.
    borrowing func setPermissions(_ permissions: Permissions) throws(FileError) {
        try retrying(.changePermissions, path) { fchmod(raw, permissions.rawValue) }
    }

    borrowing func status() throws(FileError) -> FileStatus {
        var record = stat()
        try retrying(.inspect, path) { unsafe fstat(raw, &record) }
        return FileStatus(record)
    }

    borrowing func write(_ bytes: [UInt8]) throws(FileError) {
        var written = 0
        while written < bytes.count {
            written += try retrying(.write, path) {
                unsafe bytes[written...].withUnsafeBytes { rest in
                    unsafe Glibc.write(raw, rest.baseAddress, rest.count)
                }
            }
        }
    }

    /// What is there up to the end of the file; at most `limit` bytes.
    borrowing func read(upTo limit: Int) throws(FileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit)
        var filled = 0
        while filled < limit {
            let count = try retrying(.read, path) {
                unsafe bytes[filled...].withUnsafeMutableBytes { rest in
                    unsafe Glibc.read(raw, rest.baseAddress, rest.count)
                }
            }
            guard count > 0 else { break }
            filled += count
        }
        bytes.removeSubrange(filled...)
        return bytes
    }
}

/// Calls the system again where a signal interrupted it; any other failure is thrown.
@discardableResult
func retrying<Answer: SignedInteger>(
    _ operation: FileError.Operation,
    _ path: Path,
    _ call: () -> Answer
) throws(FileError) -> Answer {
    while true {
        let answer = call()
        guard answer < 0 else { return answer }
        let code = errno
        guard code == EINTR else { throw FileError(operation, path, code: code) }
    }
}
