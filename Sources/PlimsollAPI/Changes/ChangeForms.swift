package import PlimsollDomain
package import PlimsollJSON

extension Endpoints {
    static let changes: [any EndpointDeclaration] = [
        proposeChange, listChanges, getChange, approveChange, rejectChange, withdrawChange,
        requestChanges, commentOnChange, reviseChange, applyChange, scheduleChange, overrideCheck,
    ]

    package static let proposeChange = Write<AppSlug, ProposalForm, ChangeAnswer>(
        .post("proposeChange", "/v1/apps/{app}/changes"),
        "Propose operations for approval.",
        status: 201
    )

    package static let listChanges = Read<AppSlug, ChangeList>(
        .get("listChanges", "/v1/apps/{app}/changes"),
        "The changes of an app as they stand or stood, newest first.",
        query: [
            .repeatable("state", .names(ChangeState.self)),
            .repeatable("author", .principal), .repeatable("platform", .platform),
            .optional("needsMe", .boolean),
        ] + .moment + .paging(most: 500)
    )

    package static let getChange = Read<ChangeID, ChangeAnswer>(
        .get("getChange", "/v1/changes/{change}"),
        "A change, its effect on what is live, and where it stands."
    )

    package static let approveChange = Endpoint<ChangeID, SeenChange, ApprovalForm, ChangeAnswer>(
        .post("approveChange", "/v1/changes/{change}/approve"),
        "Approve what was seen; with the last approval it applies, or waits for its time."
    )

    package static let rejectChange = Endpoint<
        ChangeID, SeenChange, MandatoryReasonForm, ChangeAnswer
    >(
        .post("rejectChange", "/v1/changes/{change}/reject"),
        "Reject a change, for good.",
        takes: "Rejection"
    )

    package static let withdrawChange = Endpoint<ChangeID, SeenChange, EmptyForm, ChangeAnswer>(
        .post("withdrawChange", "/v1/changes/{change}/withdraw"),
        "Withdraw a change of yours."
    )

    package static let requestChanges = Endpoint<
        ChangeID, SeenChange, MandatoryReasonForm, ChangeAnswer
    >(
        .post("requestChanges", "/v1/changes/{change}/request-changes"),
        "Ask the author of a change for something else.",
        takes: "Rejection"
    )

    package static let commentOnChange = Write<ChangeID, CommentForm, ChangeAnswer>(
        .post("commentOnChange", "/v1/changes/{change}/comment"),
        "Comment on a change, for all who decide on it."
    )

    package static let reviseChange = Endpoint<ChangeID, SeenChange, RevisionForm, ChangeAnswer>(
        .post("reviseChange", "/v1/changes/{change}/revise"),
        "Put other operations in the place of a change's."
    )

    package static let applyChange = Endpoint<ChangeID, SeenChange, EmptyForm, ChangeAnswer>(
        .post("applyChange", "/v1/changes/{change}/apply"),
        "Apply a change that has its approvals and was kept waiting."
    )

    package static let scheduleChange = Endpoint<
        ChangeID, SeenChange, SchedulingForm, ChangeAnswer
    >(
        .post("scheduleChange", "/v1/changes/{change}/schedule"),
        "Give a change a time of its own, another one, or none; approvals of what it"
            + " was count no more."
    )

    package static let overrideCheck = Endpoint<ChangeID, SeenChange, OverrideForm, ChangeAnswer>(
        .post("overrideCheck", "/v1/changes/{change}/override"),
        "Override a check, with a reason, where the policy lets the caller."
    )
}

/// The body of `POST /v1/apps/{app}/changes`.
///
/// `base` is required: it is the position of the document that the author looked at, and it is
/// what keeps a change from silently undoing somebody else's.
package struct ProposalForm: Form, Shaped {
    package let title: Title
    package let reason: Reason?
    package let base: Position
    package let operations: [Operation]
    package let schedule: Schedule?
    /// What it is made of, such as a repository and a path; open changes that its author made of the
    /// same are superseded.
    package let source: Title?

    package init(
        title: Title,
        reason: Reason?,
        base: Position,
        operations: [Operation],
        schedule: Schedule? = nil,
        source: Title? = nil
    ) {
        self.title = title
        self.reason = reason
        self.base = base
        self.operations = operations
        self.schedule = schedule
        self.source = source
    }

    package static let shape = Shape<Self>(
        "Proposal",
        Self.init(title:reason:base:operations:schedule:source:),
        .required("title", \.title, .title),
        .optional("reason", \.reason, .reason),
        .required("base", \.base, .position),
        .required("operations", \.operations, .objects(Operation.shape, atLeast: 1)),
        .optional("schedule", \.schedule, .object(Schedule.shape)),
        .optional("source", \.source, .title)
    )
}

/// The body of `POST /v1/changes/{id}/comment`.
package struct CommentForm: Form, Shaped {
    package let comment: Reason

    package init(comment: Reason) { self.comment = comment }

    package static let shape = Shape<Self>(
        "Comment",
        Self.init(comment:),
        .required("comment", \.comment, .reason)
    )
}

/// The body of `POST /v1/changes/{id}/revise`: its operations take the place of all that were there.
package struct RevisionForm: Form, Shaped {
    /// `nil` keeps the title.
    package let title: Title?
    package let reason: Reason?
    package let base: Position
    package let operations: [Operation]
    /// `nil` keeps the schedule.
    package let schedule: Schedule?
    /// What becomes of fields that others wrote after the base.
    package let resolve: [Field: ConflictChoice]

    package init(
        title: Title?,
        reason: Reason?,
        base: Position,
        operations: [Operation],
        schedule: Schedule? = nil,
        resolve: [Field: ConflictChoice] = [:]
    ) {
        self.title = title
        self.reason = reason
        self.base = base
        self.operations = operations
        self.schedule = schedule
        self.resolve = resolve
    }

    package static let shape = Shape<Self>(
        "Revision",
        {
            Self(
                title: $0,
                reason: $1,
                base: $2,
                operations: $3,
                schedule: $4,
                resolve: $5 ?? [:]
            )
        },
        .optional("title", \.title, .title),
        .optional("reason", \.reason, .reason),
        .required("base", \.base, .position),
        .required("operations", \.operations, .objects(Operation.shape, atLeast: 1)),
        .optional("schedule", \.schedule, .object(Schedule.shape)),
        .optional("resolve", \.resolved, .object(resolution))
    )

    private var resolved: [Field: ConflictChoice]? { resolve.isEmpty ? nil : resolve }

    private static let resolution = Shape<[Field: ConflictChoice]>(
        schema: Schema(json: [
            "type": "object",
            "additionalProperties": .object(Schema.names(ConflictChoice.self).json),
        ]),
        read: { reader in
            var choices: [Field: ConflictChoice] = [:]
            for path in reader.object.keys {
                guard let field = Field(path: path) else {
                    _ = reader.value(path)
                    reader.refuse(path, "\"\(path)\" is no field; it needs to be \(Field.grammar).")
                    continue
                }
                let choice = reader.name(path, as: ConflictChoice.self)
                // A language may be written in capitals or not.
                if choices[field] != nil { reader.refuse(path, "\(field) stands here twice.") }
                choices[field] = choice
            }
            return choices
        },
        write: { choices, json in
            for (field, choice) in choices { json[field.path] = .string(choice.rawValue) }
        }
    )
}

/// The body of `POST /v1/changes/{id}/approve`; an empty body is an approval without a comment.
package struct ApprovalForm: Form, Shaped {
    package let comment: Reason?
    /// The counts of devices that were seen with the change; `nil` says nothing of them.
    ///
    /// Where others are there by now the approval is refused.
    package let counted: [Platform: Position]?
    /// Which nobody can make but whoever approves.
    package let signature: PersonSignature?

    package init(
        comment: Reason? = nil,
        counted: [Platform: Position]? = nil,
        signature: PersonSignature? = nil
    ) {
        (self.comment, self.counted, self.signature) = (comment, counted, signature)
    }

    package static let shape = Shape<Self>(
        "Approval",
        Self.init(comment:counted:signature:),
        .optional("comment", \.comment, .reason),
        .optional("counted", \.counted, .keyed(.position), none: .leftOut),
        .optional("signature", \.signature, .object(PersonSignature.shape), none: .leftOut)
    )
}

/// `{"key": "ssh-ed25519 AAAA…", "signedAt": "2026-11-26T18:00:00Z", "value": "U1NIU0lH…"}`
extension PersonSignature: Form, Shaped {
    package static let shape = Shape<Self>(
        "PersonSignature",
        Self.init(key:signedAt:value:),
        .required("key", \.key, .personKey),
        .required("signedAt", \.signedAt, .instant),
        .required("value", \.value, .sshSignature)
    )
}

extension ValueShape<String> {
    fileprivate static let sshSignature = string(
        needing: PersonSignature.grammar,
        .string,
        { PersonSignature.isValue($0) ? $0 : nil },
        \.self
    )
}

/// The body of a request that says all with its address; an empty body does.
package struct EmptyForm: Form, Shaped {
    package init() {}

    package static let shape = Shape<Self>("Nothing", byHand: [])

    package init?(_ reader: inout ObjectReader) {}

    package var json: JSONObject { [:] }
}
