import Foundation
import Glibc
import PlimsollDomain
import PlimsollJSON
import PlimsollTestSupport
import Subprocess
import Testing

extension ServiceTests {
    /// Whichever instance dies, what is due is applied in time, and once.
    @Suite(.alone, .timeLimit(.minutes(60))) struct ScheduleKillTests {
        /// How late is too late, in milliseconds.
        private let patience: Int64 = ServiceTests.hasNarrowLimits ? 1000 : 60_000

        @Test func `two instances apply a hundred changes of one second in time`() async throws {
            try await withTwoServices { servers in
                let (proposer, approver) = try await people(at: servers[0])
                let table = try await Timetable(round: 0, servers, proposer, approver)
                try await applied(table, by: servers[0], 0, in: "no-kill")
                try await servers[1].fixture.expectVerified()
            }
        }

        // Goal: a death in the second in which a hundred changes come due neither loses nor repeats
        // one, and makes none late. Method: either of two instances is killed at a random moment
        // around that second; the other one is asked.
        @Test func `an instance that dies as changes come due costs no time`() async throws {
            try await ScratchDatabaseServer.with { database in
                try await ServerFixture.with { fixture in
                    let fixture = fixture.on("host=\(database.folder) user=postgres")
                    var moments = RandomMoments()
                    for number in 1...Trial.deaths {
                        let names =
                            number.isMultiple(of: 2)
                            ? ["service", "second"] : ["second", "service"]
                        try await fixture.named(names[0]).run { survivor in
                            let end = try await fixture.named(names[1]).run { victim in
                                try await die(victim, survivor, number, &moments)
                            }
                            #expect(end == .signaled(SIGKILL))
                        }
                    }
                    try await fixture.expectVerified()
                }
            }
        }

        private func die(
            _ victim: RunningServer,
            _ survivor: RunningServer,
            _ number: Int,
            _ moments: inout RandomMoments
        ) async throws {
            let (proposer, approver) = try await people(at: survivor, in: number)
            let servers = [victim, survivor]
            let table = try await Timetable(round: number, servers, proposer, approver)
            let lead = moments.milliseconds(0...1200) - .milliseconds(300)
            let moment = table.start.advanced(by: lead)
            let wait = moment.millisecondsSince1970 - Instant.present.millisecondsSince1970
            try #require(wait > 0, "the changes were approved too late")
            try await Task.sleep(for: .milliseconds(wait))
            victim.send(SIGKILL)
            let place = "kill-\(number), seed \(moments.seed)"
            try await applied(table, by: survivor, number, in: place)
        }

        private func people(
            at server: RunningServer,
            in round: Int = 1
        ) async throws -> (String, String) {
            (
                try await server.admit("proposer \(round)", "proposer"),
                try await server.admit("approver \(round)", "approver")
            )
        }

        private func applied(
            _ table: Timetable,
            by server: RunningServer,
            _ round: Int,
            in place: String
        ) async throws {
            try await eventually("all changes are applied") {
                try await server.changes("scheduled").isEmpty ? () : nil
            }
            let events = try await server.settle()
            expectDense(events)
            let delays = try table.delays(in: events)
            #expect(delays.allSatisfy { (0..<patience).contains($0) }, "\(place): \(delays)")
            let published = try await server.published()
            #expect(published.text("en-199") == "Round \(round).")
            let middle = delays[delays.count / 2]
            let sentence =
                "\(place): after \(delays[0]), \(middle) and at most \(delays.last ?? 0) ms"
            Attachment.record(sentence, named: "schedules.txt")
        }
    }
}
