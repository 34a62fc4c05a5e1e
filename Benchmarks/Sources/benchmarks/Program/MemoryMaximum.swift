import Foundation

/// How much memory a process has had at its most, as the kernel has counted since its start or since
/// it was told to forget.
struct MemoryMaximum {
    let megabytes: Double

    init(of pid: Int32) throws {
        let text = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        let number = line?.split(whereSeparator: \.isWhitespace).dropFirst().first
        let kibibytes = try known(number.flatMap { Double($0) }, "the memory of process \(pid)")
        megabytes = kibibytes * 1.024 / 1000
    }

    /// Has the kernel count anew, from what the process has now (proc_pid_clear_refs(5)).
    static func forget(of pid: Int32) throws {
        let file = try FileHandle(forWritingTo: URL(filePath: "/proc/\(pid)/clear_refs"))
        try file.write(contentsOf: Data("5".utf8))
        try file.close()
    }
}
