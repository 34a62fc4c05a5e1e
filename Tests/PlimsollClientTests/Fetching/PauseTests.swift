import Foundation
import Testing

@testable import PlimsollClient

@Suite struct PauseTests {
    private func freshFor(_ fields: [String: String]) -> TimeInterval? {
        CacheControl(DocumentAnswer(status: 200, fields: fields, body: Data())).freshFor
    }

    @Test(
        arguments: [
            (["Cache-Control": "public, max-age=60, stale-if-error=86400"], 60),
            (["cache-control": "MAX-AGE=\"90\""], 90),
            (["Cache-Control": "max-age=60", "Age": "20"], 40),
            (["Cache-Control": "max-age=60", "Age": "200"], 0), (["Cache-Control": "no-cache"], 0),
            (["Cache-Control": "max-age=60, no-store"], 0), ([:], nil),
            (["Cache-Control": "max-age=soon"], nil), (["Cache-Control": "max-age=-1"], nil),
            (["Cache-Control": "s-maxage=60"], nil), (["Cache-Control": "max-age="], nil),
            (["Cache-Control": "max-age=99999999999999999999"], nil),
        ] as [([String: String], TimeInterval?)]
    )
    func `an answer says for how long it is good`(
        _ fields: [String: String],
        _ seconds: TimeInterval?
    ) {
        #expect(freshFor(fields) == seconds)
    }

    @Test(
        arguments: [
            (nil, 7200), (0, 60), (60, 60), (600, 600), (1e9, 7200),
        ] as [(TimeInterval?, TimeInterval)]
    )
    func `a pause keeps within its bounds`(_ freshFor: TimeInterval?, _ pause: TimeInterval) {
        let policy = RefreshPolicy()
        #expect(policy.pause(freshFor: freshFor, chance: 0) == pause)
        #expect(policy.pause(freshFor: freshFor, chance: 1) == pause * 1.2)
        #expect(policy.bound == 8640)
    }

    @Test func `pauses after failures double up to the longest`() {
        let policy = RefreshPolicy()
        let pauses = [1, 2, 3, 9, 10, 1000, .max].map {
            policy.pause(failures: $0, retryAfter: nil, chance: 0)
        }
        #expect(pauses == [15, 30, 60, 3840, 7200, 7200, 7200])
        #expect(policy.pause(failures: 1, retryAfter: 120, chance: 0) == 120)
        #expect(policy.pause(failures: 1, retryAfter: 1, chance: 0) == 15)
        #expect(policy.pause(failures: 1, retryAfter: 1e9, chance: 0) == 7200)
    }
}
