import CLinux
import Foundation
import Testing

/// What a process gives back that only its start needed.
@Suite(.timeLimit(.minutes(5))) struct StartMemoryReleaseTests {
    // Method: in a process of its own, where no other test maps anything meanwhile.
    @Test func `what nobody needs now is no longer resident, and all goes on`() async {
        await #expect(processExitsWith: .success) {
            let before = try resident()
            creadiness_give_back_program()
            let after = try resident()
            try #require(after < before)
            try #require([3, 1, 2].sorted() == [1, 2, 3])
        }
    }
}

/// Kilobytes of files that are mapped and resident.
private func resident() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("RssFile:") }
    return try #require(
        line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
    )
}
