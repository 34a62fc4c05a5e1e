package import PlimsollDomain
package import PlimsollStore

/// Follows the record as it grows, each event once and in order, for as long as whoever follows
/// may read it.
package struct RecordFollowing: Sendable {
    private let useCases: UseCases
    private let caller: Caller
    private let query: EventQuery
    /// Everything up to here has been told, or was not asked for.
    package private(set) var position: Position

    init(_ query: EventQuery, after position: Position, for caller: Caller, _ useCases: UseCases) {
        self.query = query
        self.position = position
        self.caller = caller
        self.useCases = useCases
    }

    /// What came next; empty where nothing did for a while.
    ///
    /// Throws as soon as the caller has lost the right to read on.
    package mutating func next(patience: Duration) async throws(UseCaseError) -> [AuditedEvent] {
        let growth = try await useCases.read {
            try await useCases.readModels.growth(query, after: position, patience: patience)
        }
        try useCases.requireReader(of: query.apps, caller)
        position = growth.reached
        return growth.events
    }
}

extension UseCases {
    /// Follows the record behind a position, or from now on.
    package func follow(
        _ query: EventQuery,
        after position: Position?,
        for caller: Caller
    ) throws(UseCaseError) -> RecordFollowing {
        let head = try world().position
        try requireReader(of: query.apps, caller)
        if let position, position > head {
            throw UseCaseError(.eventUnknown(position, head: head))
        }
        return RecordFollowing(query, after: position ?? head, for: caller, self)
    }

    /// Refuses unless the caller may read the record, with a token that still lives.
    package func requireReader(of apps: [AppSlug], _ caller: Caller) throws(UseCaseError) {
        let world = try world()
        try requireAuditor(of: apps, caller, world)
        guard case .token(let id) = caller.authentication else { return }
        guard world.access.livingToken(id, at: clock()) != nil else {
            throw UseCaseError(.tokenUnknown(id))
        }
    }
}
