import PlimsollSystem
import Testing

@testable import PlimsollEdge

/// What the system's limit on open files leaves for clients.
@Suite struct OpenFilesTests {
    @Test func `no limit is no limit`() {
        #expect(OpenFiles.connectionsMaximum(10_000, limit: nil) == 10_000)
    }

    @Test(arguments: [
        (1024, 10_000, 768), (1024, 100, 100), (300, 10_000, 150), (1, 10, 1), (0, 10, 1),
        (1_048_576, 10_000, 10_000),
    ])
    func `something is left for everything else`(limit: Int, wanted: Int, expected: Int) {
        #expect(OpenFiles.connectionsMaximum(wanted, limit: limit) == expected)
    }

    @Test func `this process has a limit, as far as it may be raised`() throws {
        let limit = try #require(OpenFileLimit.raise())
        #expect(limit > 0)
        #expect(OpenFileLimit.raise() == limit)
        #expect(OpenFiles.connectionsMaximum(.max, limit: limit) < .max)
    }
}
