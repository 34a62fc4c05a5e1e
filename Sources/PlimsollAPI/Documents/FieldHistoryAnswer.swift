package import PlimsollDomain
package import PlimsollJSON

/// Every event that wrote a field, newest first, as `GET …/history` answers it.
package struct FieldHistoryAnswer: Answer {
    package let app: AppSlug
    package let field: Field
    package let writes: [Write]
    package let next: String?

    package init(app: AppSlug, field: Field, writes: [Write], next: String?) {
        (self.app, self.field, self.writes, self.next) = (app, field, writes, next)
    }

    package init?(_ reader: inout ObjectReader) {
        let app = reader.slug("app")
        let field = reader.string("field", needing: Field.grammar, Field.init(path:))
        let next = reader.optionalString("next")
        guard let app, let field else { return nil }
        let writes = reader.objects("history", .ignored) { Write(&$0, of: field) }
        guard let writes else { return nil }
        self.init(app: app, field: field, writes: writes, next: next)
    }

    package var json: JSONObject {
        [
            "app": .string(app.text), "field": .string(field.path),
            "history": .array(writes.map { .object($0.json) }), "next": JSONValue(next),
        ]
    }

    /// An event that wrote the field, what it did to it, and the people behind it.
    package struct Write: Equatable, Sendable {
        package let change: FieldChange
        package let event: Position
        package let recordedAt: Instant
        package let origin: FieldOrigin

        package init(
            change: FieldChange,
            event: Position,
            recordedAt: Instant,
            origin: FieldOrigin
        ) {
            (self.change, self.event) = (change, event)
            (self.recordedAt, self.origin) = (recordedAt, origin)
        }

        init?(_ reader: inout ObjectReader, of field: Field) {
            let event = reader.position("event")
            let recordedAt = reader.instant("recordedAt")
            let before = reader.fieldValue("before", of: field)
            let after = reader.fieldValue("after", of: field)
            let origin = FieldOrigin(&reader)
            guard let event, let recordedAt, let origin else { return nil }
            self.init(
                change: FieldChange(field: field, before: before, after: after),
                event: event,
                recordedAt: recordedAt,
                origin: origin
            )
        }

        package var json: JSONObject {
            var json: JSONObject = [
                "event": JSONValue(event), "recordedAt": JSONValue(recordedAt),
                "before": JSONValue(change.before), "after": JSONValue(change.after),
                "sentence": .string(change.sentence),
            ]
            origin.write(to: &json)
            return json
        }
    }
}
