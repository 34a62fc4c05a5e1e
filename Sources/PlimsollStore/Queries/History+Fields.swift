package import PlimsollDomain
import PlimsollPostgres

/// What stands in a field, and the event that put it there.
package struct StandingField: Equatable, Sendable {
    package let field: Field
    package let value: FieldValue
    /// The event's own position, which may lie inside an append.
    package let since: Position
}

extension History {
    /// What the fields of an app held after a position, in the order of their paths, and how far
    /// the read model goes, which may be less far.
    ///
    /// Leaps from field to field and takes the last row of each, so what was written before does
    /// not count.
    package func fields(
        of app: AppSlug,
        after position: Position
    ) async throws -> (fields: [StandingField], reached: Position) {
        let rows = try await database.query(
            """
            WITH RECURSIVE live AS MATERIALIZED (
                SELECT generation, position FROM projection.live
                JOIN projection.state USING (generation)
            ), name (field) AS (
                (
                    SELECT field FROM projection.event_field
                    WHERE generation = (SELECT generation FROM live) AND app = \(app.text)
                    ORDER BY field LIMIT 1
                )
                UNION ALL
                SELECT (
                    SELECT f.field FROM projection.event_field f
                    WHERE f.generation = (SELECT generation FROM live) AND f.app = \(app.text)
                        AND f.field > name.field
                    ORDER BY f.field LIMIT 1
                ) FROM name WHERE name.field IS NOT NULL
            )
            SELECT position, NULL AS field, NULL AS after FROM live
            UNION ALL
            SELECT last.position, name.field, last.after FROM name CROSS JOIN LATERAL (
                SELECT f.position, f.after FROM projection.event_field f
                WHERE f.generation = (SELECT generation FROM live) AND f.app = \(app.text)
                    AND f.field = name.field AND f.position <= \(position.rawValue)
                ORDER BY f.position DESC LIMIT 1
            ) AS last
            WHERE name.field IS NOT NULL AND last.after IS NOT NULL
            """
        )
        var fields: [StandingField] = []
        var reached = Position.start
        for row in rows {
            let (position, path, after) = try row.decode((Int, String?, String?).self)
            guard let path else {
                reached = Position(position)
                continue
            }
            fields.append(try StandingField(path: path, after, since: Position(position)))
        }
        return (fields.sorted { $0.field < $1.field }, reached)
    }
}

extension StandingField {
    fileprivate init(
        path: String,
        _ text: String?,
        since position: Position
    ) throws(CorruptReadModel) {
        guard let field = Field(path: path), let value = try FieldValue.read(text, of: field) else {
            throw CorruptReadModel("\(path) has no value that belongs there")
        }
        self.init(field: field, value: value, since: position)
    }
}
