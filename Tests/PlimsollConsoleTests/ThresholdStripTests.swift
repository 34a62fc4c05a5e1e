import PlimsollAPI
import PlimsollDomain
import Testing

@testable import PlimsollConsole

/// What a value was in the last thirty days.
@Suite struct ThresholdStripTests {
    private let field = Field(.ios, .minimumApp, .value)
    private let now = Instant(millisecondsSince1970: 1_800_000_000_000)

    private func write(
        _ before: String?,
        _ after: String?,
        daysAgo: Int64,
        incident: String? = nil
    ) throws -> FieldHistoryAnswer.Write {
        let value = { (text: String?) in
            try text.map { FieldValue.version(.dotted(try #require(AppleVersion($0)))) }
        }
        return FieldHistoryAnswer.Write(
            change: FieldChange(field: field, before: try value(before), after: try value(after)),
            event: try #require(Position(rawValue: 100 - daysAgo)),
            recordedAt: now.advanced(by: .seconds(-daysAgo * 86_400)),
            origin: FieldOrigin(
                author: PrincipalID.system,
                approvers: [],
                change: ChangeID(rawValue: 1),
                reason: nil,
                incident: incident
            )
        )
    }

    private func told(_ writes: [FieldHistoryAnswer.Write]) -> [String] {
        ThresholdStrip(writes, until: now).stretches.map { stretch in
            (stretch.value ?? "-") + (stretch.kind == .emergency ? "!" : "")
        }
    }

    @Test func `a value that nobody ever wrote is a strip of nothing`() {
        #expect(told([]) == ["-"])
    }

    @Test func `what was written before stands from the beginning`() throws {
        #expect(told([try write(nil, "3.0", daysAgo: 40)]) == ["3.0"])
    }

    @Test func `each write begins a stretch, and what was before the first is known`() throws {
        let writes = [
            try write("3.2", "3.1", daysAgo: 1), try write("3.0", "3.2", daysAgo: 2, incident: "I"),
            try write(nil, "3.0", daysAgo: 29),
        ]
        #expect(told(writes) == ["-", "3.0", "3.2!", "3.1"])
        let older = [writes[0], writes[1], try write("2.0", "3.0", daysAgo: 31)]
        #expect(told(older) == ["3.0", "3.2!", "3.1"])
    }

    @Test func `where there are more writes than are shown, nothing is said of what was before`()
        throws
    {
        let writes = [try write("3.0", "3.1", daysAgo: 1)]
        let strip = ThresholdStrip(writes, isWhole: false, until: now)
        #expect(strip.stretches.map(\.value) == [nil, "3.1"])
        let old = [writes[0], try write("2.0", "3.0", daysAgo: 31)]
        let known = ThresholdStrip(old, isWhole: false, until: now)
        #expect(known.stretches.map(\.value) == ["3.0", "3.1"])
    }

    @Test func `a value that was taken away leaves nothing`() throws {
        #expect(told([try write("3.0", nil, daysAgo: 5)]) == ["3.0", "-"])
    }
}
