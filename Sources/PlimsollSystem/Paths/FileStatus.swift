import Glibc

/// Who may read, write and enter.
package struct Permissions: RawRepresentable, Sendable, Hashable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// 0600: a secret.
    package static let ownerOnly = Permissions(rawValue: 0o600)
    /// 0644: what is published.
    package static let readableByAll = Permissions(rawValue: 0o644)
    /// 0700: a folder of secrets.
    package static let folderOfOwner = Permissions(rawValue: 0o700)
    /// 0755: a folder of what is published.
    package static let folderForAll = Permissions(rawValue: 0o755)

    package var admitsOthers: Bool { rawValue & 0o077 != 0 }
}

/// What the system says about a file.
package struct FileStatus: Sendable, Hashable {
    /// What stands at a place; pipes, sockets and devices are all `other`.
    package enum Kind: Sendable {
        case file, folder, symbolicLink, other
    }

    package let kind: Kind
    package let permissions: Permissions
    package let owner: UInt32
    package let group: UInt32
    package let size: Int

    init(_ record: stat) {
        kind =
            switch record.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            case S_IFLNK: .symbolicLink
            default: .other
            }
        permissions = Permissions(rawValue: record.st_mode & 0o7777)
        owner = record.st_uid
        group = record.st_gid
        size = Int(record.st_size)
    }
}

/// Which file it is, whatever name it is reached by.
package struct FileIdentity: Sendable, Hashable {
    package let device: UInt64
    package let number: UInt64

    fileprivate init(_ record: stat) {
        device = UInt64(record.st_dev)
        number = UInt64(record.st_ino)
    }
}

/// What a file held when it was looked at, as far as its record tells.
package struct FileVersion: Sendable, Hashable {
    package let identity: FileIdentity
    package let size: Int
    package let seconds: Int
    package let nanoseconds: Int

    /// Takes the time that it is told by: of the last write, or of any change.
    fileprivate init(_ record: stat, since time: timespec) {
        identity = FileIdentity(record)
        size = Int(record.st_size)
        (seconds, nanoseconds) = (time.tv_sec, time.tv_nsec)
    }
}

extension Path {
    /// Of what is found here, symbolic links followed; nil where there is nothing.
    package func identity() throws(FileError) -> FileIdentity? {
        try record().map { FileIdentity($0) }
    }

    /// The same, and when and to what length it was written last.
    package func version() throws(FileError) -> FileVersion? {
        try record().map { FileVersion($0, since: $0.st_mtim) }
    }

    /// Of the place itself, a symbolic link not followed; nil where there is nothing.
    package func status() throws(FileError) -> FileStatus? {
        try record(followingLinks: false).map { FileStatus($0) }
    }

    /// Follows symbolic links, unlike ``status()``: a state folder may well be one.
    package func isFolder() throws(FileError) -> Bool {
        try record().map { FileStatus($0).kind == .folder } ?? false
    }

    private func record(followingLinks: Bool = true) throws(FileError) -> stat? {
        var record = stat()
        do {
            try retrying(.inspect, self) {
                unsafe followingLinks ? stat(string, &record) : lstat(string, &record)
            }
        } catch {
            guard error.isMissing else { throw error }
            return nil
        }
        return record
    }

    package func setPermissions(_ permissions: Permissions) throws(FileError) {
        try retrying(.changePermissions, self) { unsafe chmod(string, permissions.rawValue) }
    }

    /// Gives the place itself away, never what a symbolic link there points to.
    package func changeOwner(to account: Account) throws(FileError) {
        try retrying(.changeOwner, self) {
            unsafe lchown(string, account.userID, account.groupID)
        }
    }

    /// Throws unless this is a plain file that only its owner, we or root, can read.
    package func refuseIfReadableByOthers() throws(FileError) {
        guard let status = try status() else {
            throw FileError(.trust, self, code: ENOENT)
        }
        try status.refuseIfReadableByOthers(at: self)
    }
}

extension FileStatus {
    func refuseIfReadableByOthers(at path: Path) throws(FileError) {
        guard kind == .file else {
            throw FileError(.trust, path, code: EINVAL, explanation: "it is not a plain file")
        }
        guard owner == geteuid() || owner == 0 else {
            throw FileError(
                .trust,
                path,
                code: EPERM,
                explanation: "it belongs to user \(owner), who could read and change it"
            )
        }
        guard !permissions.admitsOthers else {
            let mode = String(permissions.rawValue, radix: 8)
            throw FileError(
                .trust,
                path,
                code: EPERM,
                explanation: "its permissions \(mode) let others in; say `chmod 600 \(path)`"
            )
        }
    }
}

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

    /// Opens what lies in an open folder under a name, symbolic links not followed.
    init(
        opening name: String,
        in folder: borrowing Descriptor,
        _ flags: CInt
    ) throws(FileError) {
        path = folder.path / name
        let number = folder.raw
        raw = try retrying(.open, path) {
            unsafe openat(number, name, flags | O_NOFOLLOW | O_CLOEXEC)
        }
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

    borrowing func status() throws(FileError) -> FileStatus { try look().status }

    /// Also which file it is, and when anything of it was changed last, which nobody sets back.
    borrowing func look() throws(FileError) -> (status: FileStatus, version: FileVersion) {
        var record = stat()
        try retrying(.inspect, path) { unsafe fstat(raw, &record) }
        return (FileStatus(record), FileVersion(record, since: record.st_ctim))
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
