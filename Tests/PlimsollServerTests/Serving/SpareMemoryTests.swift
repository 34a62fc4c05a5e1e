import CLinux
import Foundation
import Testing

/// What a process gives back that only its start needed.
@Suite(.timeLimit(.minutes(5))) struct SpareMemoryTests {
    // Method: everything else in this process goes on meanwhile and maps again what it needs.
    @Test func `what nobody needs now is no longer resident, and all goes on`() throws {
        let before = try resident()
        creadiness_give_back_program()
        let after = try resident()
        #expect(after < before)
        #expect([3, 1, 2].sorted() == [1, 2, 3])
    }

    /// Kilobytes of files that are mapped and resident.
    private func resident() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("RssFile:") }
        return try #require(
            line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
        )
    }
}
