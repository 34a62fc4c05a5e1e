import PlimsollDomain
import PlimsollTestSupport
import Testing

@testable import PlimsollServer

@Suite(.scratchDatabase(template: serverTemplate), .timeLimit(.minutes(5)))
struct ChangedBitTests {
    /// Where each append of the log begins.
    private static let appends = [1, 5, 8, 11, 13, 17, 20]

    // Goal: whoever looks into it is led to the event, or to the first of those that were written
    // with it. Method: a bit at three places of each in turn, which is put right again.
    @Test func `a bit of any event is named by the event or the append's first`() async throws {
        try await SignedLog.with { log in
            for position in 1...SignedLog.count {
                let first = try #require(Self.appends.last { $0 <= position })
                for place in ["0", "length(entry) / 2", "length(entry) - 1"] {
                    let flip = """
                        UPDATE log.event
                        SET entry = set_byte(entry, \(place), get_byte(entry, \(place)) # 1)
                        WHERE position = \(position)
                        """
                    try await log.tamper(flip)
                    let finding = try await log.finding()
                    guard case .broken(let found, _) = finding else {
                        Issue.record("byte \(place) of event \(position): \(finding)")
                        return
                    }
                    #expect([first, position].map { Position($0) }.contains(found))
                    try await log.tamper(flip)
                }
            }
            // The negative control: it was the bits alone.
            guard case .sound(SignedLog.count, _, _) = try await log.finding() else {
                Issue.record("the log is called broken though it was put right")
                return
            }
        }
    }
}
