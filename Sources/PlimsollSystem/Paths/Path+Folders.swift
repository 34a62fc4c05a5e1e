import Glibc

extension Path {
    /// Makes this folder and those above it that are missing, and makes them last.
    ///
    /// Each parent of a new folder is synchronized, so what is later written durably below it
    /// is not lost with the folder's own name. An existing folder keeps its permissions.
    package func createFolder(
        permissions: Permissions = .folderForAll
    ) throws(FileError) {
        if try isFolder() { return }
        if parent != self {
            try parent.createFolder(permissions: permissions)
        }
        do {
            try createFolderAlone(permissions: permissions)
        } catch {
            // Somebody else was quicker.
            guard error.isAlreadyThere, try isFolder() else { throw error }
        }
        try parent.synchronizeFolder()
    }

    /// Follows symbolic links, unlike ``status()``: a state folder may well be one.
    package func isFolder() throws(FileError) -> Bool {
        var record = stat()
        do {
            try retrying(.inspect, self) { unsafe stat(string, &record) }
        } catch {
            guard error.isMissing else { throw error }
            return false
        }
        return FileStatus(record).kind == .folder
    }

    func createFolderAlone(permissions: Permissions) throws(FileError) {
        try retrying(.create, self) { unsafe mkdir(string, permissions.rawValue) }
        try setPermissions(permissions)
    }

    /// Makes the names in this folder last: what was created, renamed or removed in it.
    package func synchronizeFolder() throws(FileError) {
        let descriptor = try Descriptor(opening: self, O_RDONLY | O_DIRECTORY)
        try descriptor.synchronize()
    }

    /// The names in this folder, sorted; without `.` and `..`, with temporary ones.
    package func entries() throws(FileError) -> [String] {
        guard let stream = unsafe opendir(string) else {
            throw FileError(.list, self, code: errno)
        }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = unsafe readdir(stream) else {
                guard errno == 0 else { throw FileError(.list, self, code: errno) }
                return names.sorted()
            }
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { bytes in
                unsafe String(cString: UnsafeRawPointer(bytes).assumingMemoryBound(to: CChar.self))
            }
            if name != ".", name != ".." { names.append(name) }
        }
    }

    /// Removes a file or a symbolic link; says whether there was one.
    @discardableResult
    package func removeFile() throws(FileError) -> Bool {
        do {
            try retrying(.remove, self) { unsafe unlink(string) }
            return true
        } catch {
            guard error.isMissing else { throw error }
            return false
        }
    }

    /// Removes a file or a folder with all that is in it; symbolic links are not followed.
    ///
    /// Not meant for folders that an account we do not trust can write: it could swap a folder
    /// for a link meanwhile.
    package func removeTree() throws(FileError) {
        guard let status = try status() else { return }
        guard status.kind == .folder else {
            try removeFile()
            return
        }
        for name in try entries() {
            try (self / name).removeTree()
        }
        try retrying(.remove, self) { unsafe rmdir(string) }
    }
}
