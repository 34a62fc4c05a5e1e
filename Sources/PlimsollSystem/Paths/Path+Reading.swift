import Glibc

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
        do {
            return try read(sizeMaximum: sizeMaximum)
        } catch {
            guard error.isMissing else { throw error }
            return nil
        }
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
