package import PlimsollDomain
package import PlimsollJSON

extension Endpoints {
    static let emergencies: [any EndpointDeclaration] = [declareEmergency, blockVersion]

    package static let declareEmergency = Write<AppSlug, EmergencyForm, EmergencyAnswer>(
        .post("declareEmergency", "/v1/apps/{app}/emergency"),
        "Apply operations at once, by one person, and open a review."
    )

    package static let blockVersion = Write<AppSlug, BlockForm, EmergencyAnswer>(
        .post("blockVersion", "/v1/apps/{app}/block"),
        "Block all versions of an app below one (kill switch), as an emergency."
    )
}

/// The body of `POST /v1/apps/{app}/block`.
///
/// ```json
/// {"platform": "ios", "below": "3.2.0", "reason": "3.1 loses bookings", "incident": "INC-731"}
/// ```
/// The incident may have no number yet. With `texts` it says what people below it read:
/// `{"description": {"en-GB": "…"}}`.
package struct BlockForm: Form, Shaped {
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

    package static let shape = Shape<Self>(
        "Block",
        byHand: .oneOf([schema(.dotted), schema(.integer)])
    )

    private static func schema(_ kind: VersionKind) -> Schema {
        .object([
            .required("platform", .platforms(kind)), .required("below", .version(kind)),
            .optional("texts", .texts), .required("reason", .reason),
            .optional("incident", .title), .optional("owner", .principal),
        ])
    }

    package init?(_ reader: inout ObjectReader) {
        let platform = reader.member("platform", .platform)
        let below = reader.version("below", on: platform)
        let texts = reader.optionalObject("texts").flatMap { object in
            let place = reader.pointer.appending("texts")
            return reader.nested(object, at: place) { ObjectReader.texts(&$0) }
        }
        let reason = reader.member("reason", .reason)
        let incident = reader.optionalMember("incident", .title)
        let owner = reader.optionalMember("owner", .principal)
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

extension Schema {
    /// Of each language by its tag.
    fileprivate static let texts = object(
        TextPart.allCases.map { part in
            .optional(
                part.rawValue,
                Schema(json: [
                    "type": "object", "additionalProperties": .object(words.json),
                ])
            )
        }
    )
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
            texts[part] = reader.nested(object, at: place) { reader in
                reader.textsByLanguage()
            }
        }
        return texts
    }

    private mutating func textsByLanguage() -> [LanguageTag: Text]? {
        var texts: [LanguageTag: Text] = [:]
        for member in object.members {
            let text = self.member(member.key, .words)
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
package struct EmergencyAnswer: Answer, Shaped {
    package let app: AppSlug
    /// What it is called among the changes; `nil` in a dry run.
    package let change: ChangeID?
    /// The last position of the append; `nil` in a dry run.
    package let position: Position?
    /// The sequence under which it is published; `nil` in a dry run.
    package let sequence: SnapshotSequence?
    package let incident: Title
    package let review: Review
    package let changes: [FieldChange]
    /// The changes that wait for their time and are in conflict now.
    package let overtaken: [ChangeID]
    /// What was to come back at the end of a change, and in its place stays as this wrote it.
    package let stays: [FieldChange]
    /// Required texts that people would read now, and that nobody has written.
    package let textsMissing: [Field]
    /// What looks like a mistake in what it wrote.
    package let checks: [CheckFinding]
    /// What it blocks of the devices that were counted.
    package let blocked: [BlockedShare]
    /// What there is to know of what clients of Prince of Versions are told from then on.
    package let notes: [PrinceOfVersionsAnswer.Note]

    /// The review that it opens; the position, which names it, is `nil` in a dry run.
    package struct Review: Equatable, Sendable {
        package let position: Position?
        package let order: ReviewOrder

        package init(position: Position?, order: ReviewOrder) {
            self.position = position
            self.order = order
        }

        package static let shape = Shape<Self>(
            "ReviewOrder",
            Self.init(position:order:),
            .nullable("position", \.position, .position),
            .part(\.order, ReviewOrder.shape)
        )
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
        stays: [FieldChange] = [],
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
        self.stays = stays
        self.textsMissing = textsMissing
        self.checks = checks
        self.blocked = blocked
        self.notes = notes
    }

    package static let shape = Shape<Self>(
        "EmergencyReceipt",
        Self.init(
            app:
            change:
            position:
            sequence:
            incident:
            review:
            changes:
            overtaken:
            stays:
            textsMissing:
            checks:
            blocked:
            notes:
        ),
        .required("app", \.app, .slug),
        .nullable("change", \.change, .change),
        .nullable("position", \.position, .position),
        .nullable("sequence", \.sequence, .sequence),
        .required("incident", \.incident, .title),
        .required("review", \.review, .object(Review.shape)),
        .required("changes", \.changes, .objects(FieldChange.shape)),
        .required("overtaken", \.overtaken, .array(of: .change)),
        .required("stays", \.stays, .objects(FieldChange.shape), before: []),
        .required("textsMissing", \.textsMissing, .array(of: .field)),
        .required("checks", \.checks, .objects(CheckFinding.shape)),
        .required("blocked", \.blocked, .objects(BlockedShare.shape)),
        .required("notes", \.notes, .objects(PrinceOfVersionsAnswer.Note.shape))
    ).withDryRun
}

/// The body of `POST /v1/apps/{app}/emergency`: a proposal that comes into force at once.
///
/// Without `base` it is based on what is live; without `owner` whoever acts sees to the review.
package struct EmergencyForm: Form, Shaped {
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

    package static let shape = Shape<Self>(
        "Emergency",
        Self.init(title:reason:incident:owner:base:operations:),
        .required("title", \.title, .title),
        .required("reason", \.reason, .reason),
        .required("incident", \.incident, .title),
        .optional("owner", \.owner, .principal),
        .optional("base", \.base, .position),
        .required("operations", \.operations, .objects(Operation.shape, atLeast: 1))
    )
}
