import PlimsollDomain
import PlimsollPostgres

extension ChangeQuery {
    var statement: Statement {
        guard let open else { return statementByState }
        return """
            SELECT id, app, title, author, state, base, proposed_at, position
            FROM projection.change
            WHERE generation = (SELECT generation FROM projection.live)
                AND app = \(app.text)
                AND (id = ANY(\(open.map(\.rawValue))) OR state = ANY(\(states.map(\.rawValue))))
                AND id < \(after?.rawValue ?? Int64.max)
            ORDER BY id DESC LIMIT \(Int64(limit))
            """
    }

    private var statementByState: Statement {
        """
        SELECT id, app, title, author, state, base, proposed_at, position
        FROM projection.change
        WHERE generation = (SELECT generation FROM projection.live)
            AND app = \(app.text)
            AND state = ANY(\(wanted.map(\.rawValue)))
            AND id < \(after?.rawValue ?? Int64.max)
        ORDER BY id DESC LIMIT \(Int64(limit))
        """
    }

    /// The changes as they stood after an append: what their last event until then made of them.
    func statement(at position: Position) -> Statement {
        """
        SELECT c.id, c.app, c.title, c.author, last.state, c.base, c.proposed_at, last.position
        FROM projection.change c CROSS JOIN LATERAL (
            SELECT step.state, e.position FROM projection.event e
            JOIN unnest(\(steps.map(\.type)), \(steps.map(\.state))) AS step (type, state)
                USING (type)
            WHERE e.generation = c.generation AND e.change = c.id
                AND e.position <= \(position.rawValue)
            ORDER BY e.position DESC LIMIT 1
        ) AS last
        WHERE c.generation = (SELECT generation FROM projection.live)
            AND c.app = \(app.text)
            AND last.state = ANY(\(wanted.map(\.rawValue)))
            AND c.id < \(after?.rawValue ?? Int64.max)
        ORDER BY c.id DESC LIMIT \(Int64(limit))
        """
    }

    private var wanted: [ChangeState] { states.isEmpty ? ChangeState.allCases : states }

    /// What each event of a change makes of it; the others leave it as it is.
    private var steps: [(type: String, state: String)] {
        [
            (EventType.changeProposed, ChangeState.proposed),
            (.operationsAdded, .proposed), (.changeRevised, .proposed),
            (.changeScheduled, .proposed), (.changesRequested, .changesRequested),
            (.changeSuspended, .suspended), (.changeRejected, .rejected),
            (.changeWithdrawn, .withdrawn), (.changeSuperseded, .withdrawn),
            (.changeApplied, .applied),
        ].map { ($0.0.rawValue, $0.1.rawValue) }
    }
}
