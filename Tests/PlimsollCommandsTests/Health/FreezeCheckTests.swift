import PlimsollAPI
import PlimsollDomain
import Testing

@testable import PlimsollCommands

/// What keeps changes from applying, as `plimsoll doctor` says it.
@Suite struct FreezeCheckTests {
    private func app(planned years: ClosedRange<Int>) throws -> AppAnswer {
        let app = try Samples.app()
        let plan = FreezePlanAnswer(
            plan: Position(57),
            app: nil,
            window: FreezeWindow(
                from: try #require(Instant(rfc3339: "\(years.lowerBound)-07-01T08:00:00Z")),
                until: try #require(Instant(rfc3339: "\(years.upperBound)-07-01T08:00:00Z")),
                timeZone: .utc
            ),
            by: Samples.alice,
            reason: nil
        )
        return AppAnswer(
            slug: app.slug,
            settings: app.settings,
            isDefault: true,
            position: app.position,
            sequence: app.sequence,
            freeze: FreezeAnswer(
                app: app.slug,
                by: Samples.alice,
                since: Samples.instant,
                reason: nil
            ),
            freezePlans: [plan]
        )
    }

    @Test func `what is planned is counted until it begins`() throws {
        let begun = FreezeCheck.finding([try app(planned: 2001...2999)])
        #expect(begun.detail == "frozen: harbour")
        let ahead = FreezeCheck.finding([try app(planned: 2998...2999)])
        #expect(ahead.detail.contains("1 planned, the next from Sun 2998-07-01"), "\(ahead.detail)")
    }
}
