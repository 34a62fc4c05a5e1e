import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import PlimsollStore
import PlimsollTestSupport
import PlimsollService
import Testing

/// Who stands behind a change, and what was said of it.
@Suite(.scratchDatabase(template: houseTemplate), .timeLimit(.minutes(5)))
struct PeopleBehindTests {
    // Goal: nobody is named as approver of what they never saw. Method: a freeze keeps the first
    // approval waiting, the author revises the change, and another approver has it applied.
    @Test func `only who approved what was applied stands behind it`() async throws {
        try await House.with { house in
            try await house.register()
            let author = try await house.caller(.proposer)
            let (first, second) = (
                try await house.caller(.approver), try await house.caller(.approver)
            )
            try await house.freeze()
            let proposed = try await house.propose("3.2.0", by: author)
            let waiting = try await house.approve(proposed, by: first)
            #expect(waiting.outcome.approvals.map(\.counts) == [true])
            let revised = try await house.revise(waiting, to: "3.2.1", by: author)
            #expect(revised.outcome.approvals.map(\.counts) == [false])
            try await house.thaw()
            let applied = try await house.approve(revised, by: second)
            #expect(applied.state == .applied)
            #expect(applied.outcome.approvals.map(\.counts) == [false, true])
            let blame = try await house.useCases.blame(
                of: harbour,
                on: .ios,
                at: .live,
                for: author
            )
            let line = try #require(blame.lines.first)
            #expect(line.origin.approvers == [second.principal])
        }
    }

    @Test func `what was said of a change is part of it, with the last reason of its content`()
        async throws
    {
        try await House.with { house in
            try await house.register()
            let author = try await house.caller(.proposer)
            let approver = try await house.caller(.approver)
            let proposed = try await house.propose("3.2.0", by: author)
            try await house.useCases.perform(
                CommentOnChange(
                    change: proposed.id,
                    comment: try Reason(validating: "At noon, please"),
                    by: approver.principal
                ),
                house.request(by: approver)
            )
            let wanted = try await house.turnDown(
                proposed,
                .changesRequested,
                because: "3.2.1 is out",
                by: approver
            )
            let revised = try await house.revise(wanted, to: "3.2.1", by: author)
            let moved = try await house.useCases.decide(
                ScheduleChange(
                    change: revised.id,
                    seen: try #require(revised.digest),
                    schedule: Schedule(in: 3600, of: house),
                    by: author.principal,
                    hash: ChangeDigest.init(of:)
                ),
                house.request(by: author)
            )
            let remarks = moved.outcome.remarks
            let kinds: [RemarkKind] = [.comment, .changesRequested, .revised, .scheduled]
            #expect(remarks.map(\.kind) == kinds)
            let words = ["At noon, please", "3.2.1 is out", "3.2.1 is out", nil]
            #expect(remarks.map(\.text?.text) == words)
            let people = [approver, approver, author, author].map(\.principal)
            #expect(remarks.map(\.by) == people)
            #expect(moved.reason?.text == "3.2.1 is out")
        }
    }
}

extension House {
    func freeze() async throws {
        let reason = try Reason(validating: "Christmas")
        let command = StartFreeze(of: .all, reason: reason, by: administrator.principal)
        _ = try await writer.perform(CommandRequest(command))
    }

    func thaw() async throws {
        let command = EndFreeze(of: .all, reason: nil, by: administrator.principal)
        _ = try await writer.perform(CommandRequest(command))
    }

    fileprivate func revise(
        _ change: ChangeAnswer,
        to version: String,
        by author: Caller
    ) async throws -> ChangeAnswer {
        try await useCases.revise(
            change.id,
            seen: try #require(change.digest),
            RevisionForm(
                title: nil,
                reason: try Reason(validating: "\(version) is out"),
                base: head,
                operations: try proposal(version).operations,
                schedule: nil
            ),
            request(by: author)
        )
    }
}
