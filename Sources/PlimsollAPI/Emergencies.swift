package import PlimsollDomain
package import PlimsollJSON

/// The body of `POST /v1/apps/{app}/block`.
///
/// ```json
/// {"platform": "ios", "below": "3.2.0", "reason": "3.1 loses bookings", "incident": "INC-731"}
/// ```
/// The incident may have no number yet. With `texts` it says what people below it read:
/// `{"description": {"en-GB": "…"}}`.
package struct BlockForm: Form {
    package let platform: Platform
    /// The oldest version that still runs.
    package let below: VersionValue
    /// What people below it read; of what is left out, what is there stays.
    package let texts: TextsByLanguage
    package let reason: Reason
    package let incident: Title?
    package let owner: PrincipalID?

    package init(
        platform: Platform,
        below: VersionValue,
        texts: TextsByLanguage = [:],
        reason: Reason,
        incident: Title? = nil,
        owner: PrincipalID? = nil
    ) {
        self.platform = platform
        self.below = below
        self.texts = texts
        self.reason = reason
        self.incident = incident
        self.owner = owner
    }

    package init?(_ reader: inout ObjectReader) {
        let platform = reader.platform("platform")
        let below = reader.version("below", on: platform)
        let texts = reader.optionalObject("texts").flatMap { object in
            let place = reader.pointer.appending("texts")
            return reader.nested(object, at: place) { ObjectReader.texts(&$0) }
        }
        let reason = reader.reason("reason")
        let incident = reader.optionalTitle("incident")
        let owner = reader.optionalPrincipal("owner")
        guard let platform, let below, let reason else { return nil }
        self.init(
            platform: platform,
            below: below,
            texts: texts ?? [:],
            reason: reason,
            incident: incident,
            owner: owner
        )
    }

    package var json: JSONObject {
        [
            "platform": .string(platform.rawValue),
            "below": JSONValue(below),
            "texts": texts.isEmpty ? .null : .object(JSONObject(texts: texts)),
            "reason": .string(reason.text),
            "incident": JSONValue(incident?.text),
            "owner": JSONValue(owner?.text),
        ]
    }

    /// What the change is called.
    package var title: Title {
        do throws(TextFault) {
            return try Title(validating: "Block \(platform.name) versions below \(below)")
        } catch {
            preconditionFailure("a platform and a version make a title")
        }
    }
}

extension JSONObject {
    /// `{"title": {"en-GB": "…"}, "description": {"en-GB": "…"}}`.
    package init(texts: TextsByLanguage) {
        self.init(
            TextPart.allCases.compactMap { part in
                texts[part].map { texts in
                    let members = texts.sorted { $0.key < $1.key }.map {
                        Member(key: $0.key.text, value: .string($0.value.text))
                    }
                    return Member(key: part.rawValue, value: .object(JSONObject(members)))
                }
            }
        )
    }
}

extension ObjectReader {
    /// Titles and descriptions by language; `nil` only where an issue says why.
    package static func texts(_ reader: inout ObjectReader) -> TextsByLanguage? {
        var texts: TextsByLanguage = [:]
        for part in TextPart.allCases {
            guard let object = reader.optionalObject(part.rawValue) else { continue }
            let place = reader.pointer.appending(part.rawValue)
            texts[part] = reader.nested(object, at: place, .refused) { reader in
                reader.textsByLanguage()
            }
        }
        return texts
    }

    private mutating func textsByLanguage() -> [LanguageTag: Text]? {
        var texts: [LanguageTag: Text] = [:]
        for member in object.members {
            let text = text(member.key)
            guard let language = LanguageTag(member.key) else {
                refuse(member.key, "A language is needed: \(LanguageTag.grammar).")
                continue
            }
            if texts[language] != nil { refuse(member.key, "\(language) stands here twice.") }
            texts[language] = text
        }
        return texts
    }
}

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
    /// What there is to know of what clients of Prince of Versions are told from then on.
    package let notes: [PrinceOfVersionsAnswer.Note]

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
        blocked: [BlockedShare] = [],
        notes: [PrinceOfVersionsAnswer.Note] = []
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
        self.notes = notes
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
        let notes = reader.objects("notes", .ignored, PrinceOfVersionsAnswer.Note.read)
        guard let app, let incident, let review, let changes, let overtaken, let missing,
            let checks, let blocked, let notes
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
            blocked: blocked,
            notes: notes
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
            "notes": .array(notes.map(\.json)),
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

/// The body of `POST /v1/apps/{app}/emergency`: a proposal that comes into force at once.
///
/// Without `base` it is based on what is live; without `owner` whoever acts sees to the review.
package struct EmergencyForm: Form {
    package let title: Title
    package let reason: Reason
    package let incident: Title
    package let owner: PrincipalID?
    package let base: Position?
    package let operations: [Operation]

    package init(
        title: Title,
        reason: Reason,
        incident: Title,
        owner: PrincipalID? = nil,
        base: Position? = nil,
        operations: [Operation]
    ) {
        self.title = title
        self.reason = reason
        self.incident = incident
        self.owner = owner
        self.base = base
        self.operations = operations
    }

    package init?(_ reader: inout ObjectReader) {
        let title = reader.title("title")
        let reason = reader.reason("reason")
        let incident = reader.title("incident")
        let owner = reader.optionalPrincipal("owner")
        let base = reader.optionalPosition("base")
        let operations = reader.objects("operations", .refused, Operation.init)
        guard let title, let reason, let incident, let operations else { return nil }
        self.init(
            title: title,
            reason: reason,
            incident: incident,
            owner: owner,
            base: base,
            operations: operations
        )
    }

    package var json: JSONObject {
        [
            "title": .string(title.text),
            "reason": .string(reason.text),
            "incident": .string(incident.text),
            "owner": JSONValue(owner?.text),
            "base": JSONValue(base),
            "operations": JSONValue(operations),
        ]
    }
}
