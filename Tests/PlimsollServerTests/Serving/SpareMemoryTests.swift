import CLinux
import Foundation
import Testing

/// What a process gives back that only its start needed.
@Suite(.timeLimit(.minutes(5))) struct SpareMemoryTests {
    // Method: everything else in this process goes on meanwhile and maps again what it needs.
    @Test func `what nobody needs now is no longer resident, and all goes on`() throws {
        let before = try resident("RssFile:")
        creadiness_give_back_program()
        let after = try resident("RssFile:")
        #expect(after < before)
        #expect([3, 1, 2].sorted() == [1, 2, 3])
    }

    // Method: what is let go lies below one that is kept, where the C library leaves it by itself.
    @Test func `what lies free among what is kept is given back`() throws {
        var pieces = (0..<100_000).map { _ in [UInt8](repeating: 90, count: 1000) }
        let full = try resident("RssAnon:")
        pieces = pieces.suffix(1)
        creadiness_give_back_heap()
        let after = try resident("RssAnon:")
        #expect(after < full - 50_000)
        #expect(pieces.first?.count == 1000)
    }

    /// Kilobytes of files that are mapped and resident, or of what is in no file.
    private func resident(_ kind: String) throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix(kind) }
        return try #require(
            line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
        )
    }
}
