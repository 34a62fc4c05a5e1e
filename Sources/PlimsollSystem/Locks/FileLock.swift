import Glibc

/// An advisory lock on a file, held until the value goes out of scope.
///
/// The kernel gives it back when the process ends, however it ends; a lock file that exists
/// proves nothing. The file is never removed, since two processes could then hold locks on two
/// files of one name. It says, for people, which process took it last.
package struct FileLock: ~Copyable {
    private let descriptor: Descriptor

    package static let retryInterval: Duration = .milliseconds(50)

    /// Takes the lock, trying again for as long as `patience` lasts.
    ///
    /// A killed predecessor takes a moment to vanish, hence the patience. Held by another until
    /// the end, the error's ``FileError/isHeldByAnother`` is true and it names the holder.
    package static func acquire(
        _ path: Path,
        patience: Duration = .seconds(3)
    ) async throws -> FileLock {
        let deadline = ContinuousClock.now + patience
        while true {
            do {
                return try FileLock(path)
            } catch {
                guard error.isHeldByAnother, ContinuousClock.now < deadline else { throw error }
            }
            try await Task.sleep(for: retryInterval)
        }
    }

    /// Takes the lock now or throws.
    package init(_ path: Path) throws(FileError) {
        let descriptor = try Descriptor(
            opening: path,
            O_RDWR | O_CREAT | O_NOFOLLOW,
            permissions: .ownerOnly,
            for: .lock
        )
        do {
            try retrying(.lock, path) { flock(descriptor.raw, LOCK_EX | LOCK_NB) }
        } catch {
            guard error.isHeldByAnother else { throw error }
            throw FileError(
                .lock,
                path,
                code: error.code,
                explanation: "\(Self.holder(of: path)) holds it"
            )
        }
        try retrying(.write, path) { ftruncate(descriptor.raw, 0) }
        try descriptor.write(Array("\(getpid())\n".utf8))
        self.descriptor = descriptor
    }

    private static func holder(of path: Path) -> String {
        // Losing this error costs only the number in the message.
        let bytes = (try? path.read(sizeMaximum: 64)) ?? []
        let number = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        return Int(number).map { "process \($0)" } ?? "another process"
    }
}
