import PlimsollDomain
import PlimsollTestSupport
import Testing

/// Times at which changes of these tests end.
let soon = testNow.advanced(by: .seconds(1800))
let noon = testNow.advanced(by: .seconds(3600))
let evening = testNow.advanced(by: .seconds(7200))

func minimum(_ version: String) throws -> [Operation] {
    try raise(to: version, base: .start).operations
}

func block(
    below version: String,
    texts: TextsByLanguage = [:],
    by responder: PrincipalID = rita
) throws -> BlockVersion {
    BlockVersion(
        app: harbour,
        platform: .ios,
        below: dotted(version),
        texts: texts,
        title: try Title(validating: "Block"),
        incident: nil,
        owner: nil,
        reason: try Reason(validating: "3.1 loses bookings"),
        by: responder,
        hash: testHash
    )
}

func rollBack(
    to past: PastState,
    platforms: [Platform]? = nil,
    fields: [Field]? = nil,
    thresholds: [ThresholdPlace]? = nil,
    by responder: PrincipalID = rita
) throws -> RollBack {
    RollBack(
        app: harbour,
        platforms: platforms,
        fields: fields,
        thresholds: thresholds,
        request: .event(past.position),
        past: past,
        reason: try Reason(validating: "3.1 loses bookings"),
        by: responder
    )
}

func emergency(_ operations: [Operation], base: Position) throws -> DeclareEmergency {
    DeclareEmergency(
        app: harbour,
        title: try Title(validating: "Act"),
        base: base,
        operations: operations,
        incident: try Title(validating: "INC-1"),
        owner: nil,
        reason: try Reason(validating: "3.1 loses bookings"),
        by: rita,
        hash: testHash
    )
}

func reversal(of id: ChangeID, before: PastState, after: PastState) -> RevertChange {
    RevertChange(id, of: harbour, before: before, after: after, reason: nil, by: rita)
}

extension Given {
    /// An app that a rollback to the beginning does not empty.
    static func settled() throws -> Given {
        try harbourApp().at(testNow).when(
            .system,
            (.app(harbour), .app(.thresholdSet(.ios, .minimumOS, dotted("12")))),
            (.app(harbour), .app(.thresholdSet(.android, .minimumOS, code(24))))
        )
    }

    var minimum: Threshold? { logState.app(harbour)?.document(.ios)[.minimumApp] }

    var offers: [Offer]? { logState.app(harbour)?.document(.ios).offers }

    /// What is live now, to go back to.
    var present: PastState {
        PastState(position: logState.position, documents: logState.app(harbour)?.documents ?? [:])
    }

    func proposal(
        _ operations: [Operation],
        at start: Instant? = nil,
        until end: Instant? = nil
    ) throws -> ProposeChange {
        try propose(operations, base: logState.position, at: start, until: end)
    }

    /// A change that was applied until a time, and what its end is to bring back.
    func boxed(
        _ id: Int64,
        _ operations: [Operation],
        until end: Instant
    ) throws -> (Given, EndChange) {
        let proposed = when(try proposal(operations, until: end))
        let past = proposed.present
        let applied = proposed.when(proposed.approve(change(id)))
        return (applied, EndChange(change: change(id), past: past))
    }

    /// A change that somebody approved for good.
    func raised(_ id: Int64, to version: String) throws -> Given {
        let proposed = when(try raise(to: version, base: logState.position))
        return proposed.when(proposed.approve(change(id)))
    }
}
