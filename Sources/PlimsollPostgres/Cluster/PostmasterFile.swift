import PlimsollSystem

/// What the server says about itself in `postmaster.pid`.
///
/// A line each: process, data folder, start, port, socket folder, address, shared memory, state.
/// `pg_ctl` waits for the state the same way.
struct PostmasterFile {
    let processID: Int32
    /// `ready` as soon as connections are taken.
    let isReady: Bool

    /// Nil where there is no file, or one that is still being written.
    init?(_ file: Path) throws(FileError) {
        guard let bytes = try file.readIfPresent(sizeMaximum: 4096) else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { String($0).trimmingBlanks }
        guard let first = lines.first, let number = Int32(first), number > 0 else { return nil }
        processID = number
        isReady = lines.count > 7 && lines[7] == "ready"
    }
}
