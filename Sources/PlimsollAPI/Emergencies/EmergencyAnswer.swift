package import PlimsollDomain
package import PlimsollJSON

/// The receipt of an emergency.
package struct EmergencyAnswer: Answer {
    package let app: AppSlug
    /// What it is called among the changes; `nil` where it was only tried.
    package let change: ChangeID?
    /// The last position of the append; `nil` where it was only tried.
    package let position: Position?
    /// The sequence under which it is published; `nil` where it was only tried.
    package let sequence: SnapshotSequence?
    package let incident: Title
    package let review: Review
    package let changes: [FieldChange]
    /// The changes that wait for their time and are in conflict now.
    package let overtaken: [ChangeID]
    /// Required texts that people would read now, and that nobody has written.
    package let textsMissing: [Field]
    /// What looks like a mistake in what it wrote.
    package let checks: [CheckFinding]
    /// What it blocks of the devices that were counted.
    package let blocked: [BlockedShare]

    /// The review that it opens; the position, which names it, is `nil` where it was only tried.
    package struct Review: Equatable, Sendable {
        package let position: Position?
        package let order: ReviewOrder

        package init(position: Position?, order: ReviewOrder) {
            self.position = position
            self.order = order
        }
    }

    package init(
        app: AppSlug,
        change: ChangeID?,
        position: Position?,
        sequence: SnapshotSequence?,
        incident: Title,
        review: Review,
        changes: [FieldChange],
        overtaken: [ChangeID] = [],
        textsMissing: [Field],
        checks: [CheckFinding] = [],
        blocked: [BlockedShare] = []
    ) {
        self.app = app
        self.change = change
        self.position = position
        self.sequence = sequence
        self.incident = incident
        self.review = review
        self.changes = changes
        self.overtaken = overtaken
        self.textsMissing = textsMissing
        self.checks = checks
        self.blocked = blocked
    }

    package init?(_ reader: inout ObjectReader) {
        let app = reader.slug("app")
        let change = reader.optionalString("change", needing: ChangeID.grammar, ChangeID.init)
        let position = reader.optionalPosition("position")
        let sequence = reader.optionalSequence("sequence")
        let incident = reader.title("incident")
        let review = reader.optionalNested("review", Review.init)
        let changes = reader.objects("changes", .ignored, FieldChange.init)
        let overtaken = reader.changes("overtaken")
        let missing = reader.strings("textsMissing", needing: Field.grammar, Field.init(path:))
        let checks = reader.objects("checks", .ignored, CheckFinding.init)
        let blocked = reader.objects("blocked", .ignored, BlockedShare.init)
        guard let app, let incident, let review, let changes, let overtaken, let missing,
            let checks, let blocked
        else { return nil }
        self.init(
            app: app,
            change: change,
            position: position,
            sequence: sequence,
            incident: incident,
            review: review,
            changes: changes,
            overtaken: overtaken,
            textsMissing: missing,
            checks: checks,
            blocked: blocked
        )
    }

    package var json: JSONObject {
        var order = review.order.json
        order["position"] = JSONValue(review.position)
        return [
            "app": .string(app.text),
            "change": JSONValue(change?.description),
            "position": JSONValue(position),
            "sequence": JSONValue(sequence),
            "incident": .string(incident.text),
            "review": .object(order),
            "changes": JSONValue(changes),
            "overtaken": .changes(overtaken),
            "textsMissing": .array(textsMissing.map { .string($0.path) }),
            "checks": JSONValue(checks),
            "blocked": JSONValue(blocked),
        ]
    }
}

extension EmergencyAnswer.Review {
    fileprivate init?(_ reader: inout ObjectReader) {
        let position = reader.optionalPosition("position")
        guard let order = ReviewOrder(&reader) else { return nil }
        self.init(position: position, order: order)
    }
}
