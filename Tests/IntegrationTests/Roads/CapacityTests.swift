import Foundation
import Subprocess
import Testing

/// The arithmetic of `docs/operating/capacity.md`.
@Suite struct CapacityTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private func reckon(
        _ arguments: [String],
        _ environment: [String: String] = [:]
    ) async throws -> Outcome {
        let script = Self.root.appending(path: "scripts/capacity").path
        return try await Program.run(script, arguments, environment: environment)
    }

    @Test func `the page has the table that the script prints`() async throws {
        let page = try String(
            contentsOf: Self.root.appending(path: "docs/operating/capacity.md"),
            encoding: .utf8
        )
        let outcome = try await reckon([])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.split(separator: "\n").count == 5)
        #expect(page.contains(outcome.output))
    }

    @Test func `twice the phones ask twice as much`() async throws {
        let outcome = try await reckon(["3000000", "6000000"])
        let rows = outcome.output.split(separator: "\n").suffix(2).map { row in
            row.split(separator: "|").compactMap { Double($0.filter(\.isNumber)) }
        }
        try #require(rows.count == 2)
        // Phones, requests a day, requests a second.
        for column in 0..<3 {
            #expect(abs(rows[1][column] / rows[0][column] - 2) < 0.01)
        }
    }

    @Test(arguments: ["", "0", "-1", "1e6", "many", "007"])
    func `what is no number of phones is refused`(phones: String) async throws {
        let outcome = try await reckon([phones])
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("PHONES is a number"))
    }

    @Test(arguments: ["0", "-1", "x", "1.2.3", ""])
    func `a setting that is no number above nothing is refused by its name`(
        value: String
    ) async throws {
        let outcome = try await reckon(["1000"], ["POLLS": value])
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("POLLS is a number above 0"))
    }
}
