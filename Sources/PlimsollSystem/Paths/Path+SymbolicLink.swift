import Glibc

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
    /// written into the link as it is, so a relative one counts from the link's folder.
    package func pointSymbolicLink(
        to destination: String,
        durability: Durability = .now
    ) throws(FileError) {
        precondition(!destination.isEmpty, "a symbolic link leads somewhere")
        let temporary = TemporaryName.beside(self)
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
