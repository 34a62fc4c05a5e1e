import Glibc

/// Where a file or folder lies.
///
/// A path is text and nothing else: making one touches no disk. What can be done at the place
/// it names are its methods, grouped in the files beside this one. It never holds a zero byte,
/// since the system would silently take the part before it.
///
/// ```swift
/// let manifest = export / "snapshots" / "harbour" / "17" / "manifest.json"
/// ```
package struct Path: Sendable, Hashable {
    package let string: String

    /// Trailing slashes are dropped, so that two spellings of one folder are equal.
    package init(_ string: String) {
        precondition(!string.isEmpty, "an empty path names nothing")
        precondition(!string.utf8.contains(0), "a path ends at its first zero byte")
        var trimmed = Substring(string)
        while trimmed.utf8.count > 1, trimmed.hasSuffix("/") {
            trimmed = trimmed.dropLast()
        }
        self.string = String(trimmed)
    }

    package static func / (folder: Path, name: String) -> Path {
        Path(folder.string == "/" ? "/\(name)" : "\(folder.string)/\(name)")
    }

    /// The part after the last slash.
    package var name: String {
        string.split(separator: "/").last.map(String.init) ?? string
    }

    /// The folder this lies in; `.` for a bare name, `/` for the root.
    package var parent: Path {
        guard let slash = string.lastIndex(of: "/") else { return Path(".") }
        return slash == string.startIndex ? Path("/") : Path(String(string[..<slash]))
    }

    package var isAbsolute: Bool { string.hasPrefix("/") }
}

extension Path: ExpressibleByStringLiteral {
    package init(stringLiteral value: String) {
        self.init(value)
    }
}

extension Path: CustomStringConvertible {
    package var description: String { string }
}

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

    /// The same, and none where there is no folder.
    package func entriesIfPresent() throws(FileError) -> [String] {
        try ifPresent { () throws(FileError) in try entries() } ?? []
    }

    /// Removes a file or a symbolic link; says whether there was one.
    @discardableResult
    package func removeFile() throws(FileError) -> Bool {
        let answer = try ifPresent { () throws(FileError) in
            try retrying(.remove, self) { unsafe unlink(string) }
        }
        return answer != nil
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

extension Path {
    /// The whole of a small file, symbolic links followed.
    ///
    /// More than `sizeMaximum` bytes are refused, and so is everything that is not a plain file:
    /// a pipe there never makes the caller wait.
    package func read(sizeMaximum: Int) throws(FileError) -> [UInt8] {
        try read(sizeMaximum: sizeMaximum) { _ throws(FileError) in }
    }

    /// The same, and nil where there is nothing.
    package func readIfPresent(sizeMaximum: Int) throws(FileError) -> [UInt8]? {
        try ifPresent { () throws(FileError) in try read(sizeMaximum: sizeMaximum) }
    }

    /// The same for a secret: refused when anybody but its owner could read it.
    ///
    /// The file that is looked at is the file that is read, even if the name is given to another
    /// file meanwhile.
    package func readSecret(sizeMaximum: Int) throws(FileError) -> [UInt8] {
        try read(sizeMaximum: sizeMaximum) { status throws(FileError) in
            try status.refuseIfReadableByOthers(at: self)
        }
    }

    /// The same, and nil where there is nothing.
    package func readSecretIfPresent(sizeMaximum: Int) throws(FileError) -> [UInt8]? {
        try ifPresent { () throws(FileError) in try readSecret(sizeMaximum: sizeMaximum) }
    }

    private func read(
        sizeMaximum: Int,
        checking check: (FileStatus) throws(FileError) -> Void
    ) throws(FileError) -> [UInt8] {
        let descriptor = try Descriptor(opening: self, O_RDONLY | O_NONBLOCK)
        let status = try descriptor.status()
        guard status.kind == .file else {
            throw FileError(.read, self, code: EINVAL, explanation: "it is not a plain file")
        }
        try check(status)
        let tooBig = FileError(
            .read,
            self,
            code: EFBIG,
            explanation: "it is larger than the \(sizeMaximum) bytes it may have"
        )
        guard status.size <= sizeMaximum else { throw tooBig }
        // A file that grows while it is read shows itself by the one byte more.
        let bytes = try descriptor.read(upTo: min(status.size + 4096, sizeMaximum + 1))
        guard bytes.count <= sizeMaximum else { throw tooBig }
        return bytes
    }
}

extension Path {
    /// When a change of names has to be on the disk itself.
    package enum Durability: Sendable {
        /// Before the call returns.
        case now
        /// When the caller says ``Path/synchronizeFolder()`` on the parent. Until then a power
        /// cut may bring back the former name, whole; nothing else can happen.
        case later
    }

    /// Makes this a symbolic link to `destination`, in one step.
    ///
    /// A reader finds the former destination or the new one, never nothing. `destination` is
    /// written into the link as it is, so a relative one counts from the link's folder. It is
    /// prepared beside it, or in another folder of the same disk.
    package func pointSymbolicLink(
        to destination: String,
        durability: Durability = .now,
        preparedIn folder: Path? = nil
    ) throws(FileError) {
        precondition(!destination.isEmpty, "a symbolic link leads somewhere")
        let temporary = TemporaryName.of(self, in: folder)
        do {
            try retrying(.link, temporary) { unsafe symlink(destination, temporary.string) }
            try FaultPoint.reached("files.link.created")
            try temporary.rename(to: self)
        } catch {
            // The first error is the one that explains; a leftover is swept later.
            _ = try? temporary.removeFile()
            throw error
        }
        try FaultPoint.reached("files.link.switched")
        if durability == .now {
            try parent.synchronizeFolder()
        }
    }

    /// What is written in the symbolic link here; nil where there is no link.
    package func symbolicLinkDestination() throws(FileError) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        do {
            let count = try retrying(.read, self) {
                unsafe readlink(string, &bytes, bytes.count)
            }
            return String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
        } catch {
            guard error.isMissing || error.code == EINVAL else { throw error }
            return nil
        }
    }

    /// Renames in one step, replacing a file; the caller makes the folder's names last.
    package func rename(to destination: Path) throws(FileError) {
        try retrying(.rename, destination) { unsafe Glibc.rename(string, destination.string) }
    }
}

/// What was done at a path, and nil where nothing is there.
private func ifPresent<Result>(
    _ work: () throws(FileError) -> Result
) throws(FileError) -> Result? {
    do {
        return try work()
    } catch {
        guard error.isMissing else { throw error }
        return nil
    }
}
