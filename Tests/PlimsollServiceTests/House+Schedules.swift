import PlimsollAPI
import PlimsollDomain
import PlimsollStore
import PlimsollTestSupport
import PlimsollService
import ServiceLifecycle
import Testing

extension House {
    /// Runs a scheduler as a service while the body runs, and shuts it down.
    func withScheduler(_ body: () async throws -> Void) async throws {
        let scheduler = Scheduler(useCases, logger: silent)
        let group = ServiceGroup(services: [scheduler], logger: silent)
        try await withThrowingTaskGroup { tasks in
            tasks.addTask(name: "scheduler") { try await group.run() }
            try await body()
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    /// Returns once the state is so.
    func waits(until isSo: (LogState) -> Bool) async {
        for await _ in writer.growth() where isSo(writer.logState) { return }
    }

    func perform(_ command: some Command) async throws {
        _ = try await writer.perform(CommandRequest(command))
    }

    /// A change of the minimum iOS app that has its approval.
    func approved(_ version: String, _ schedule: Schedule) async throws -> ChangeID {
        let plain = try proposal(version)
        return try await approved(
            plain.operations,
            schedule,
            by: try await caller(.proposer),
            try await caller(.approver)
        )
    }

    /// So many changes of different fields, with their approvals, all due at one instant.
    func proposeTexts(_ count: Int, at start: Instant) async throws -> [ChangeID] {
        try await register()
        try await apply("3.0.0")
        let (author, approver) = (try await caller(.proposer), try await caller(.approver))
        let schedule = Schedule(at: start, until: nil, timeZone: .utc)
        var changes: [ChangeID] = []
        for number in 1...count {
            let language = tag("en-\(String(String(1000 + number).dropFirst()))")
            let edit = Operation.Edit.setText(.description, language, try text("Text \(number)."))
            changes.append(
                try await approved(
                    [Operation(.ios, .minimumApp, edit)],
                    schedule,
                    by: author,
                    approver
                )
            )
        }
        return changes
    }

    /// A change of a description that has its approval.
    func approvedText(_ words: String, _ schedule: Schedule) async throws -> ChangeID {
        let edit = Operation.Edit.setText(.description, tag("en-101"), try text(words))
        return try await approved(
            [Operation(.ios, .minimumApp, edit)],
            schedule,
            by: try await caller(.proposer),
            try await caller(.approver)
        )
    }

    /// A change of the minimum iOS app of another app that has its approval.
    func approvedOfQuay(_ version: String, _ schedule: Schedule) async throws -> ChangeID {
        try await approved(
            try proposal(version).operations,
            schedule,
            of: slug("quay"),
            by: try await caller(.proposer),
            try await caller(.approver)
        )
    }

    private func approved(
        _ operations: [Operation],
        _ schedule: Schedule,
        of app: AppSlug = harbour,
        by author: Caller,
        _ approver: Caller
    ) async throws -> ChangeID {
        let proposed = try await propose(
            ProposalForm(
                title: Title(validating: "In time"),
                reason: nil,
                base: head,
                operations: operations,
                schedule: schedule
            ),
            for: app,
            by: author
        )
        return try await approve(proposed, by: approver).id
    }
}

extension Schedule {
    /// Seconds from the house's present.
    init(in start: Int, until end: Int? = nil, of house: House) {
        let now = house.clock.now
        self.init(
            at: now.advanced(by: .seconds(start)),
            until: end.map { now.advanced(by: .seconds($0)) },
            timeZone: .utc
        )
    }
}
