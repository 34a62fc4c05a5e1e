import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import Testing

@Suite struct SharesAnswerTests {
    // Goal: the command line says that it does not understand, and does not end in an overflow.
    @Test(arguments: [-1, 512_000_000_000_001, .max] as [Int64])
    func `more devices than there can be are none`(_ devices: Int64) throws {
        let share: JSONObject = [
            "platform": "ios", "devices": 10, "before": 2, "after": 3, "added": 1,
        ]
        #expect(try BlockedShare(.object(share)).sentence.hasPrefix("blocks about 30 %"))
        for name in ["devices", "before", "after", "added"] {
            var share = share
            share[name] = .integer(devices)
            #expect(throws: JSONIssues.self) { try BlockedShare(.object(share)) }
        }
        let row: JSONValue = ["app": "3.1.0", "os": nil, "devices": .integer(devices)]
        #expect(throws: JSONIssues.self) {
            try VersionSharesAnswer(["app": "harbour", "platform": "ios", "rows": [row, row]])
        }
    }
}
