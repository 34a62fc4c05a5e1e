import PlimsollDomain
import PlimsollTestSupport
import Testing

@testable import PlimsollServer

@Suite(.scratchDatabase(template: serverTemplate), .timeLimit(.minutes(5)))
struct ChangedBitTests {
    // Method: a bit at three places of each event in turn; then it is put right, and all is well.
    @Test func `a bit of any event is named by the event's position`() async throws {
        try await SignedLog.with { log in
            for position in 1...SignedLog.count {
                for place in ["0", "length(entry) / 2", "length(entry) - 1"] {
                    let flip = """
                        UPDATE log.event
                        SET entry = set_byte(entry, \(place), get_byte(entry, \(place)) # 1)
                        WHERE position = \(position)
                        """
                    try await log.tamper(flip)
                    let finding = try await log.finding()
                    guard case .broken(Position(position), _) = finding else {
                        Issue.record("byte \(place) of event \(position): \(finding)")
                        return
                    }
                    try await log.tamper(flip)
                }
            }
            // The negative control: it was the bits alone.
            guard case .sound(SignedLog.count, _) = try await log.finding() else {
                Issue.record("the log is called broken though it was put right")
                return
            }
        }
    }
}
