import PlimsollDomain
import PlimsollStore
import PlimsollTestSupport
import Testing

@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(5)))
struct TokenTests {
    @Test func `a token counts when a command is decided, not when it set out`() async throws {
        let clock = TestClock()
        try await withWriter(clock: clock) { writer, log in
            let (revoked, expired) = (
                admission(), admission(until: clock.now.advanced(by: .seconds(60)))
            )
            for admission in [revoked, expired] {
                _ = try await writer.perform(CommandRequest(admission))
                _ = try await writer.perform(
                    CommandRequest(failure(), authentication: .token(admission.token.id))
                )
            }
            let revocation = RevokeToken(token: revoked.token.id, by: .system)
            let head = try await writer.perform(CommandRequest(revocation)).position
            clock.step(.seconds(60))
            for admission in [revoked, expired] {
                let request = CommandRequest(
                    failure(),
                    authentication: .token(admission.token.id)
                )
                #expect(await refusal { try await writer.perform(request) } == .tokenDead)
                #expect(throws: WriteError.tokenDead) { try writer.dryRun(request) }
            }
            #expect(try await log.head().position == head)
        }
    }
}
