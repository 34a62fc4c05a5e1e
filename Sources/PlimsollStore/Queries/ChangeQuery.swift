package import PlimsollDomain
import PlimsollPostgres

extension ChangeQuery {
    var statement: Statement {
        var sql = Statement.StringInterpolation(literalCapacity: 700, interpolationCount: 8)
        sql.appendLiteral(
            """
            SELECT c.id, c.app, c.title, c.author, c.state, c.base, c.proposed_at, c.position
            FROM projection.change c
            WHERE (c.id = ANY(
            """
        )
        sql.appendInterpolation((open ?? []).map(\.rawValue))
        sql.appendLiteral(")")
        // With another condition beside it every change that the app ever had is looked at.
        if !isOfOpenOnes {
            sql.appendLiteral(" OR c.state = ANY(")
            sql.appendInterpolation((open == nil ? wanted : states).map(\.rawValue))
            sql.appendLiteral(")")
            // Of open changes that are wanted somebody has looked at the operations.
            appendPlatforms(to: &sql)
        }
        sql.appendLiteral(")")
        appendRest(to: &sql)
        return Statement(stringInterpolation: sql)
    }

    /// The changes as they stood after an append: what their last event until then made of them, but for
    /// those that something else suspended.
    func statement(at position: Position) -> Statement {
        var sql = Statement.StringInterpolation(literalCapacity: 1000, interpolationCount: 10)
        sql.appendLiteral(
            """
            SELECT c.id, c.app, c.title, c.author, last.state, c.base, c.proposed_at, last.position
            FROM projection.change c CROSS JOIN LATERAL (
                SELECT CASE WHEN c.id = ANY(
            """
        )
        sql.appendInterpolation(suspended.map(\.rawValue))
        sql.appendLiteral(
            """
            ) THEN 'suspended' ELSE step.state END AS state, e.position FROM projection.event e
                JOIN unnest(
            """
        )
        sql.appendInterpolation(steps.map(\.type))
        sql.appendLiteral(", ")
        sql.appendInterpolation(steps.map(\.state))
        sql.appendLiteral(
            """
            ) AS step (type, state) USING (type)
                WHERE e.generation = c.generation AND e.change = c.id AND e.position <=
            """
        )
        sql.appendLiteral(" ")
        sql.appendInterpolation(position.rawValue)
        sql.appendLiteral(" ORDER BY e.position DESC LIMIT 1) AS last WHERE last.state = ANY(")
        sql.appendInterpolation(wanted.map(\.rawValue))
        sql.appendLiteral(")")
        appendPlatforms(to: &sql)
        appendRest(to: &sql)
        return Statement(stringInterpolation: sql)
    }

    /// What a change does to platforms, as it was when it was proposed or decided.
    private func appendPlatforms(to sql: inout Statement.StringInterpolation) {
        guard !platforms.isEmpty else { return }
        sql.appendLiteral(
            """
             AND EXISTS (
                SELECT FROM jsonb_array_elements(convert_from(c.effect, 'UTF8')::jsonb) AS line
                WHERE split_part(line ->> 'field', '.', 1) = ANY(
            """
        )
        sql.appendInterpolation(platforms.map(\.rawValue))
        sql.appendLiteral("))")
    }

    private func appendRest(to sql: inout Statement.StringInterpolation) {
        if !authors.isEmpty {
            sql.appendLiteral(" AND c.author = ANY(")
            sql.appendInterpolation(authors.map(\.text))
            sql.appendLiteral(")")
        }
        sql.appendLiteral(
            " AND c.generation = (SELECT generation FROM projection.live) AND c.app = "
        )
        sql.appendInterpolation(app.text)
        sql.appendLiteral(" AND c.id < ")
        sql.appendInterpolation(after?.rawValue ?? Int64.max)
        sql.appendLiteral(" ORDER BY c.id DESC LIMIT ")
        sql.appendInterpolation(Int64(limit))
    }

    /// Whether an open change is by one of the authors, and about one of the platforms.
    package func admits(_ change: Change) -> Bool {
        (authors.isEmpty || authors.contains(change.author))
            && (platforms.isEmpty
                || change.operations.contains { platforms.contains($0.platform) })
    }

    /// Whether it is known by their numbers which changes are wanted.
    private var isOfOpenOnes: Bool { open != nil && states.isEmpty }

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

/// Which changes are wanted, newest first; what is empty or `nil` does not narrow them.
package struct ChangeQuery: Equatable, Sendable {
    package let app: AppSlug
    package var states: [ChangeState] = []
    package var authors: [PrincipalID] = []
    /// The platforms that a change writes to.
    package var platforms: [Platform] = []
    /// The open changes that are wanted, where somebody knows better than the read models how they
    /// stand; `states` then says which others are.
    package var open: [ChangeID]?
    /// The end of an append at which the changes are looked at; `nil` for now.
    package var end: Position?
    /// The changes that were suspended then, whatever their last event made of them.
    package var suspended: [ChangeID] = []
    /// The change behind which to go on.
    package var after: ChangeID?
    package var limit = 50

    package static let limitMaximum = 500

    package init(app: AppSlug) {
        self.app = app
    }
}
