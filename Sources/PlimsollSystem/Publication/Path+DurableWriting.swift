import Glibc

extension Path {
    /// Writes a file so that a reader, or a start after a power cut, finds the former one or
    /// this one, whole.
    ///
    /// The bytes go to a temporary name in the same folder and are synchronized *before* the
    /// rename: a rename may reach the disk earlier than the data, and then the new name would
    /// stand for an empty file. The folder is synchronized after it, so that what was
    /// acknowledged stays. A failed synchronization is final: the kernel may have dropped the
    /// pages, so the file is discarded, not synchronized again.
    package func writeDurably(
        _ bytes: [UInt8],
        permissions: Permissions = .readableByAll
    ) throws(FileError) {
        let temporary = TemporaryName.beside(self)
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
