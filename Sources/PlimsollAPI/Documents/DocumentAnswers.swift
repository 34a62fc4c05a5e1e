package import PlimsollDomain
package import PlimsollJSON

extension Endpoints {
    static let documents: [any EndpointDeclaration] = [
        getDocument, blameDocument, getFieldHistory, diffStates,
    ]

    package static let getDocument = Read<AppPlatform, DocumentAnswer>(
        .get("getDocument", "/v1/apps/{app}/documents/{platform}"),
        "A document, as it is or as it was.",
        query: .moment
    )

    package static let blameDocument = Read<AppPlatform, BlameAnswer>(
        .get("blameDocument", "/v1/apps/{app}/documents/{platform}/blame"),
        "Blame: who last changed each field of a document, who approved it and why.",
        query: .moment
    )

    package static let getFieldHistory = Read<AppPlatform, FieldHistoryAnswer>(
        .get("getFieldHistory", "/v1/apps/{app}/documents/{platform}/history"),
        "Every event that wrote a field, newest first, and the people behind it.",
        query: [.required("field", .field)] + .moment + .paging(most: 500)
    )

    package static let diffStates = Read<AppSlug, DiffAnswer>(
        .get("diffStates", "/v1/apps/{app}/diff"),
        "The differences between two states, field by field.",
        query: [
            .required("from", .state), .required("to", .state),
            .repeatable("platform", .platform),
        ]
    )
}

/// A document at a moment, as `GET /v1/apps/{app}/documents/{platform}` answers it.
package struct DocumentAnswer: Answer, Shaped {
    package let app: AppSlug
    package let platform: Platform
    /// The position whose state it is: the last of a whole append.
    package let position: Position
    /// The members that phones see.
    package let document: JSONObject
    /// How many offers of its own the platform has, which no phone sees here.
    package let offerCount: Int64

    package init(
        app: AppSlug,
        platform: Platform,
        position: Position,
        document: JSONObject,
        offerCount: Int64 = 0
    ) {
        self.app = app
        self.platform = platform
        self.position = position
        self.document = document
        self.offerCount = offerCount
    }

    package static let shape = Shape<Self>(
        "Document",
        Self.init(app:platform:position:document:offerCount:),
        .required("app", \.app, .slug),
        .required("platform", \.platform, .names),
        .required("position", \.position, .position),
        .required("document", \.document, .anyObject),
        .required("offerCount", \.offerCount, .integer(from: 0))
    )
}

/// Every event that wrote a field, newest first, as `GET …/history` answers it.
package struct FieldHistoryAnswer: Answer, Shaped {
    package let app: AppSlug
    package let field: Field
    package let writes: [Write]
    package let next: String?

    package init(app: AppSlug, field: Field, writes: [Write], next: String?) {
        (self.app, self.field, self.writes, self.next) = (app, field, writes, next)
    }

    package static let shape = Shape<Self>(
        "FieldHistory",
        byHand: [
            .required("app", .slug), .required("field", .field),
            .required("history", .array(of: .object(Write.members))),
            .required("next", .nullable(.cursor)),
        ]
    )

    package init?(_ reader: inout ObjectReader) {
        let app = reader.member("app", .slug)
        let field = reader.member("field", .field)
        let next = reader.optionalString("next")
        guard let app, let field else { return nil }
        let writes = reader.objects("history") { Write(&$0, of: field) }
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

        fileprivate static let members: [Schema.Member] =
            [
                .required("event", .position), .required("recordedAt", .instant),
                .required("before", .fieldValue), .required("after", .fieldValue),
                .required("sentence", .string),
            ] + FieldOrigin.shape.members

        init?(_ reader: inout ObjectReader, of field: Field) {
            let event = reader.member("event", .position)
            let recordedAt = reader.member("recordedAt", .instant)
            let before = reader.fieldValue("before", of: field)
            let after = reader.fieldValue("after", of: field)
            let origin = FieldOrigin.shape.read(&reader)
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
            FieldOrigin.shape.write(origin, to: &json)
            return json
        }
    }
}

/// Who wrote what stands in a field, who approved it, in which change, and why.
package struct FieldOrigin: Equatable, Sendable {
    /// Who proposed the change, or did it where there is none.
    package let author: PrincipalID
    /// Empty where nobody had to approve, as with a rollback.
    package let approvers: [PrincipalID]
    /// `nil` where nobody proposed it, as with a rollback.
    package let change: ChangeID?
    package let reason: String?
    /// What it was an emergency in, where it was one.
    package let incident: String?

    package init(
        author: PrincipalID,
        approvers: [PrincipalID],
        change: ChangeID?,
        reason: String?,
        incident: String? = nil
    ) {
        (self.author, self.approvers) = (author, approvers)
        (self.change, self.reason, self.incident) = (change, reason, incident)
    }

    /// How it came about, which says who had to approve it.
    package enum Kind: String, CaseIterable, Sendable {
        case change
        case emergency
        case rollback
    }

    package var kind: Kind {
        if incident != nil { return .emergency }
        return change == nil ? .rollback : .change
    }

    package static let shape = Shape<Self>(
        nil,
        Self.init(author:approvers:change:reason:incident:),
        .required("author", \.author, .principal),
        .required("approvers", \.approvers, .array(of: .principal)),
        .nullable("change", \.change, .change),
        .nullable("reason", \.reason, .string.described(as: .reason)),
        .nullable("incident", \.incident, .string.described(as: .title))
    )
    .telling(.required("kind", \.kind, .names))
}

/// Where each field of a document has its content from, as `GET …/blame` answers it.
package struct BlameAnswer: Answer, Shaped {
    package let app: AppSlug
    package let platform: Platform
    /// The last position of the append whose state it is.
    package let position: Position
    /// One for each field that holds something.
    package let lines: [Line]

    package init(app: AppSlug, platform: Platform, position: Position, lines: [Line]) {
        (self.app, self.platform, self.position, self.lines) = (app, platform, position, lines)
    }

    package static let shape = Shape<Self>(
        "Blame",
        Self.init(app:platform:position:lines:),
        .required("app", \.app, .slug),
        .required("platform", \.platform, .names),
        .required("position", \.position, .position),
        .required("fields", \.lines, .objects(Line.shape))
    )

    /// A field, what stands there, and who put it there.
    package struct Line: Answer, Shaped {
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

        package static let shape = Shape<Self>(
            nil,
            byHand: [
                .required("field", .field), .required("value", .fieldValue),
                .required("event", .position), .required("since", .instant),
            ] + FieldOrigin.shape.members
        )

        package init?(_ reader: inout ObjectReader) {
            let field = reader.member("field", .field)
            guard let field else { return nil }
            let value = reader.neededFieldValue("value", of: field)
            let (event, since) = (
                reader.member("event", .position), reader.member("since", .instant)
            )
            let origin = FieldOrigin.shape.read(&reader)
            guard let value, let event, let since, let origin else { return nil }
            self.init(field: field, value: value, event: event, since: since, origin: origin)
        }

        package var json: JSONObject {
            var json: JSONObject = [
                "field": .string(field.path), "value": JSONValue(value),
                "event": JSONValue(event), "since": JSONValue(since),
            ]
            FieldOrigin.shape.write(origin, to: &json)
            return json
        }
    }
}

/// What is different between two states of an app, as `GET /v1/apps/{app}/diff` answers it.
package struct DiffAnswer: Answer, Shaped {
    package let app: AppSlug
    package let from: Side
    package let to: Side
    package let changes: [FieldChange]
    /// What the second state blocks of the devices that were counted, and the first did.
    package let blocked: [BlockedShare]

    package init(
        app: AppSlug,
        from: Side,
        to: Side,
        changes: [FieldChange],
        blocked: [BlockedShare] = []
    ) {
        (self.app, self.from, self.to, self.changes) = (app, from, to, changes)
        self.blocked = blocked
    }

    package static let shape = Shape<Self>(
        "Diff",
        Self.init(app:from:to:changes:blocked:),
        .required("app", \.app, .slug),
        .required("from", \.from, .object(Side.shape)),
        .required("to", \.to, .object(Side.shape)),
        .required("changes", \.changes, .objects(FieldChange.shapeWithSentence)),
        .required("blocked", \.blocked, .objects(BlockedShare.shape))
    )
    .telling(.required("same", \.changes.isEmpty, .bool))

    /// A state, and the position at which it is found.
    package struct Side: Answer, Shaped {
        package let name: StateName
        package let position: Position

        package init(name: StateName, position: Position) {
            (self.name, self.position) = (name, position)
        }

        package static let shape = Shape<Self>(
            nil,
            Self.init(name:position:),
            .required("state", \.name, .state),
            .required("position", \.position, .position)
        )
    }
}

extension FieldChange {
    /// With a sentence for people.
    fileprivate static let shapeWithSentence = Shape<Self>(nil, byHand: shape.members)
        .telling(.required("sentence", \.sentence, .string))
}
