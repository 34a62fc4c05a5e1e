import Foundation

/// How long a process has been on a processor, in seconds, as the kernel has counted so far.
struct ProcessorTime {
    let own: Double
    /// Of the processes it started, once they have ended.
    let ended: Double

    private static let ticksPerSecond = 100.0

    /// The fields behind the name in parentheses, which may itself have blanks.
    init(of pid: Int32 = ProcessInfo.processInfo.processIdentifier) throws {
        let text = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        let ticks = fields.dropFirst(11).prefix(4).compactMap { Double($0) }
        guard ticks.count == 4 else {
            throw Failure(sentence: "the processor time of \(pid) is not known")
        }
        own = (ticks[0] + ticks[1]) / Self.ticksPerSecond
        ended = (ticks[2] + ticks[3]) / Self.ticksPerSecond
    }
}

/// Which process has started another one.
func parent(of pid: Int32) throws -> Int32 {
    let text = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
    let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
    return try known(fields.dropFirst().first.flatMap { Int32($0) }, "the parent of \(pid)")
}
