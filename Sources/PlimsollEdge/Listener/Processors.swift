import Foundation
import NIOCore

/// The processors that this process may run on.
enum Processors {
    /// How many there are, by the limits of its group and by those of its own: threads that have to
    /// share one keep every answer waiting for a turn.
    static var count: Int {
        let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        return min(System.coreCount, status.flatMap(allowed) ?? .max)
    }

    /// Reads what Linux says of a process, where the line is `Cpus_allowed_list: 0-1,4`; `nil`
    /// where it does not say (proc_pid_status(5)).
    static func allowed(by status: String) -> Int? {
        let line = status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed_list:") }
        guard let list = line?.split(whereSeparator: \.isWhitespace).dropFirst().first
        else { return nil }
        var count = 0
        for range in list.split(separator: ",") {
            let ends = range.split(separator: "-").map { Int($0) }
            guard let first = ends.first ?? nil, let last = ends.last ?? nil, first <= last
            else { return nil }
            count += last - first + 1
        }
        return count > 0 ? count : nil
    }
}
