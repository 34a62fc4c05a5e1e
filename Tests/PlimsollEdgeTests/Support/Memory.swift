import Foundation
import Testing

/// What this process holds.
enum Memory {
    /// In bytes, as the kernel counts.
    static func resident() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
        let number = line.split(separator: " ").compactMap { Int($0) }.first
        return try #require(number) * 1024
    }
}
