import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import Testing

// Goal: the command line says that it does not understand an answer, and does not end in an overflow.
@Suite struct SharesAnswerTests {
    private static let names = ["devices", "before", "after", "added"]
    private static let share: JSONObject = [
        "platform": "ios", "devices": 10, "before": 2, "after": 3, "added": 1,
    ]

    private func share(_ name: String, _ devices: Int64) throws -> BlockedShare {
        var share = Self.share
        share[name] = .integer(devices)
        return try BlockedShare(.object(share))
    }

    private func shares(_ devices: Int64) throws -> VersionSharesAnswer {
        let rows = ["3.1.0", "3.2.0"].map { version -> JSONValue in
            ["app": .string(version), "os": nil, "devices": .integer(devices)]
        }
        return try VersionSharesAnswer(
            ["app": "harbour", "platform": "ios", "rows": .array(rows)]
        )
    }

    @Test(arguments: names) func `as many devices as there can be are shared out`(
        _ name: String
    ) throws {
        #expect(try BlockedShare(.object(Self.share)).sentence.hasPrefix("blocks about 30 %"))
        #expect(try share(name, 512_000_000_000_000).sentence.hasPrefix("blocks "))
        #expect(try shares(1_000_000_000_000).shares.devices == 2_000_000_000_000)
    }

    @Test(arguments: names, [-1, 512_000_000_000_001, .max] as [Int64])
    func `more than there can be are none`(_ name: String, _ devices: Int64) throws {
        let issues = #expect(throws: JSONIssues.self) { try share(name, devices) }
        #expect(issues?.issues.map(\.pointer.text) == ["/\(name)"])
    }

    @Test(arguments: [-1, 0, 1_000_000_000_001, .max] as [Int64])
    func `nor are they in a row`(_ devices: Int64) throws {
        let issues = #expect(throws: JSONIssues.self) { try shares(devices) }
        #expect(issues?.issues.map(\.pointer.text) == ["/rows/0/devices", "/rows/1/devices"])
    }
}
