package import PlimsollDomain
package import PlimsollJSON

/// Where each field of a document has its content from, as `GET …/blame` answers it.
package struct BlameAnswer: Answer {
    package let app: AppSlug
    package let platform: Platform
    /// The last position of the append whose state it is.
    package let position: Position
    /// One for each field that holds something.
    package let lines: [Line]

    package init(app: AppSlug, platform: Platform, position: Position, lines: [Line]) {
        (self.app, self.platform, self.position, self.lines) = (app, platform, position, lines)
    }

    package init?(_ reader: inout ObjectReader) {
        let (app, platform) = (reader.slug("app"), reader.platform("platform"))
        let position = reader.position("position")
        let lines = reader.objects("fields", .ignored, Line.init)
        guard let app, let platform, let position, let lines else { return nil }
        self.init(app: app, platform: platform, position: position, lines: lines)
    }

    package var json: JSONObject {
        [
            "app": .string(app.text), "platform": .string(platform.rawValue),
            "position": JSONValue(position), "fields": JSONValue(lines),
        ]
    }

    /// A field, what stands there, and who put it there.
    package struct Line: Answer {
        package let field: Field
        package let value: FieldValue
        /// The event that wrote it last, and when that was recorded.
        package let event: Position
        package let since: Instant
        package let origin: FieldOrigin

        package init(
            field: Field,
            value: FieldValue,
            event: Position,
            since: Instant,
            origin: FieldOrigin
        ) {
            (self.field, self.value, self.event) = (field, value, event)
            (self.since, self.origin) = (since, origin)
        }

        package init?(_ reader: inout ObjectReader) {
            let field = reader.string("field", needing: Field.grammar, Field.init(path:))
            guard let field, let value = reader.fieldValue("value", of: field) else { return nil }
            let (event, since) = (reader.position("event"), reader.instant("since"))
            let origin = FieldOrigin(&reader)
            guard let event, let since, let origin else { return nil }
            self.init(field: field, value: value, event: event, since: since, origin: origin)
        }

        package var json: JSONObject {
            var json: JSONObject = [
                "field": .string(field.path), "value": JSONValue(value),
                "event": JSONValue(event), "since": JSONValue(since),
            ]
            origin.write(to: &json)
            return json
        }
    }
}
