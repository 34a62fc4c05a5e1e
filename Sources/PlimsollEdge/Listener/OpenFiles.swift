import PlimsollSystem

/// How many files and sockets this process may have open.
enum OpenFiles {
    /// For everything that is not a client: snapshots to read, the database, health checks.
    static let reserve = 256

    /// How many connections there may be: what was asked for, or what the system leaves.
    ///
    /// At the system's limit nothing can be opened any more, the next snapshot included; a
    /// client that is refused in good time costs less.
    static func connectionsMaximum(_ wanted: Int, limit: Int? = limit()) -> Int {
        guard let limit else { return wanted }
        return min(wanted, max(limit - reserve, limit / 2, 1))
    }

    /// The soft limit, in the kernel's own words; nil where there is none, or none to be read.
    private static func limit() -> Int? {
        guard let bytes = try? Path("/proc/self/limits").read(sizeMaximum: 16_384) else {
            return nil
        }
        return limit(in: String(decoding: bytes, as: UTF8.self))
    }

    static func limit(in text: String) -> Int? {
        let name = "Max open files"
        return text.split(separator: "\n").first { $0.hasPrefix(name) }
            .flatMap { $0.dropFirst(name.count).split(separator: " ").first }
            .flatMap { Int($0) }
    }
}
