import Testing

@testable import PlimsollEdge

/// What the system's limit on open files leaves for clients.
@Suite struct OpenFilesTests {
    private static let table = """
        Limit                     Soft Limit           Hard Limit           Units
        Max processes             95000                95000                processes
        Max open files            1024                 524288               files
        Max locked memory         8388608              8388608              bytes

        """

    @Test func `the soft limit is found`() {
        #expect(OpenFiles.limit(in: Self.table) == 1024)
    }

    @Test(arguments: ["", "Max open files", "Max open files   unlimited  unlimited", "garbage"])
    func `no limit is no limit`(text: String) {
        #expect(OpenFiles.limit(in: text) == nil)
        #expect(OpenFiles.connectionsMaximum(10_000, limit: nil) == 10_000)
    }

    @Test(arguments: [
        (1024, 10_000, 768), (1024, 100, 100), (300, 10_000, 150), (1, 10, 1), (0, 10, 1),
        (1_048_576, 10_000, 10_000),
    ])
    func `something is left for everything else`(limit: Int, wanted: Int, expected: Int) {
        #expect(OpenFiles.connectionsMaximum(wanted, limit: limit) == expected)
    }

    @Test func `this process has a limit that can be read`() {
        #expect(OpenFiles.connectionsMaximum(.max) < .max)
    }
}
