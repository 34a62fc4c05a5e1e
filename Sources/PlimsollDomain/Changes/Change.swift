/// A proposal as its events have left it.
package struct Change: Codable, Equatable, Sendable {
    package let id: ChangeID
    package let app: AppSlug
    package private(set) var title: Title
    package private(set) var base: Position
    package let author: PrincipalID
    package let proposedAt: Instant
    package private(set) var operations: [Operation] = []
    /// What stood in the fields that it touches when it was made, and as the minimum app of their
    /// platforms; `nil` where that does not count.
    private var stood: [Field: FieldValue]? = [:]
    package private(set) var schedule: Schedule?
    /// What it was made of, so that the next one from there takes its place.
    package private(set) var source: Title?
    /// Everybody who had a hand in what it says now.
    private var hands: Set<PrincipalID>
    /// Everybody who counted devices anew while it was open.
    private var counters: [Platform: Set<PrincipalID>] = [:]
    /// Every approval since it was proposed, or since a reviewer last wanted something else.
    ///
    /// No approval outlives an objection. Most of them may be of something else by now.
    package private(set) var approvals: [Approval] = []
    /// What was said of its checks since it was proposed.
    package private(set) var overrides: [CheckOverride] = []
    /// When everybody who signed an approval of it last did, by their own clocks: no signature counts
    /// twice, also where an objection came in between.
    private(set) var signedAt: [PrincipalID: Instant] = [:]
    private(set) var commentCount = 0
    package private(set) var state = ChangeState.proposed
    package private(set) var suspension: SuspensionCause?

    init(
        id: ChangeID,
        app: AppSlug,
        title: Title,
        base: Position,
        author: PrincipalID,
        proposedAt: Instant
    ) {
        self.id = id
        self.app = app
        self.title = title
        self.base = base
        self.author = author
        self.proposedAt = proposedAt
        hands = [author]
    }

    /// Everybody who had a hand in what it says now, or in the counts that it is judged by: none of
    /// them approves it.
    package var contributors: Set<PrincipalID> {
        guard !counters.isEmpty else { return hands }
        let platforms = Set(operations.map(\.platform))
        return counters.reduce(into: hands) { contributors, counted in
            if platforms.contains(counted.key) { contributors.formUnion(counted.value) }
        }
    }

    /// What it would do to the app as it stands now.
    package func content(against app: App) -> ChangeContent {
        content(against: app, leadingTo: app.documents(applying: operations))
    }

    /// The same where it is known already what documents it would lead to.
    func content(against app: App, leadingTo after: [Platform: Document]) -> ChangeContent {
        ChangeContent(
            app: self.app,
            operations: operations,
            schedule: schedule,
            effect: app.effect(leadingTo: after)
        )
    }

    /// Whether it writes one of the fields, as far as that can be told without what is live.
    package func touches(_ fields: Set<Field>) -> Bool {
        let places = Set(fields.map(\.place))
        return operations.contains { operation in
            guard places.contains(operation.place) else { return false }
            return operation.field.map(fields.contains) ?? true
        }
    }

    /// Whether the field holds what it held when the change was made.
    func stands(_ field: Field, as value: FieldValue?) -> Bool {
        stood.map { $0[field] == value } ?? false
    }

    /// The same for rules by which every later write is a conflict, whatever it wrote, and who counts
    /// devices has no hand in it.
    ///
    /// Where an approval says by which counts it was given, those who decided knew the newer rules.
    var underOriginalRules: Change {
        var change = self
        change.stood = nil
        guard approvals.allSatisfy(\.counted.isEmpty) else { return change }
        change.counters = [:]
        for index in overrides.indices { change.overrides[index].isOutdated = false }
        return change
    }

    /// Somebody counted the devices of a platform anew.
    mutating func count(on platform: Platform, by actor: PrincipalID) {
        counters[platform, default: []].insert(actor)
        for index in overrides.indices where overrides[index].check == .blocksMany {
            overrides[index].isOutdated = true
        }
    }

    /// More operations are added to it where this is live.
    mutating func add(_ more: [Operation], to app: App) {
        operations += more
        let minima = more.map { Field($0.platform, .minimumApp, .value) }
        for field in more.flatMap(app.fields) + minima {
            stood?[field] = app.document(field.platform)[field]
        }
    }

    /// The change with one approval more.
    func adding(_ approval: Approval) -> Change {
        var change = self
        change.approvals.append(approval)
        return change
    }

    /// What somebody said of it before they lost what they said it with: with a key, only what it signed.
    mutating func lapse(
        wordsOf principal: PrincipalID,
        _ lapse: Approval.Lapse,
        approvals ofApprovals: LapseRules,
        overrides ofOverrides: LapseRules
    ) {
        let key: PersonKey? = if case .keyRevoked(let key) = lapse.cause { key } else { nil }
        for index in approvals.indices
        where approvals[index].by == principal && (key == nil || approvals[index].key == key) {
            approvals[index].lapse(lapse, by: ofApprovals)
        }
        guard key == nil else { return }
        for index in overrides.indices where overrides[index].by == principal {
            overrides[index].lapsedBy.formUnion(ofOverrides)
        }
        overrides.removeAll { $0.lapsedBy == .all }
    }

    /// It will not be applied at its time.
    mutating func suspend(_ cause: SuspensionCause) {
        suspension = cause
        state = .suspended
    }

    mutating func evolve(_ event: ChangeEvent, by actor: PrincipalID, at instant: Instant) {
        switch event {
        case .changeRevised(let title, let base):
            self.title = title
            self.base = base
            operations = []
            stood = [:]
            hands.insert(actor)
            state = .proposed
            suspension = nil
        case .changeScheduled(let schedule):
            self.schedule = schedule
            hands.insert(actor)
            state = .proposed
            suspension = nil
        case .changeApproved(let digest, _, let counted, let signature):
            if let signature { signedAt[actor] = signature.signedAt }
            approvals.append(
                Approval(
                    by: actor,
                    at: instant,
                    digest: digest,
                    counted: counted,
                    key: signature?.key
                )
            )
        case .checkOverridden(let check, let digest):
            overrides.append(CheckOverride(check: check, by: actor, digest: digest))
        case .changesRequested:
            state = .changesRequested
            approvals = []
            overrides = []
        case .changeSuspended(let cause): suspend(cause)
        case .changeRejected: state = .rejected
        case .changeWithdrawn, .changeSuperseded: state = .withdrawn
        case .changeSourced(let source): self.source = source
        case .changeApplied: state = .applied
        case .changeCommented: commentCount += 1
        // The state takes these in, which knows the app.
        case .changeProposed, .operationsAdded, .changeOvertaken, .changeEnded, .emergencyApplied,
            .emergencyReviewed:
            break
        }
    }
}

/// Where a change stands.
///
/// That it is approved or scheduled is no state of its events but worked out, from the policy and
/// from what is live: see ``ApprovalStatus``.
package enum ChangeState: String, Codable, CaseIterable, Sendable {
    /// Waits for approvals, rejection or withdrawal.
    case proposed
    /// A reviewer wants something else; a revision puts it up again.
    case changesRequested
    /// Has the approvals it needs, and can be applied.
    case approved
    /// Has the approvals it needs, and is applied at its time.
    case scheduled
    /// Was not applied at its time.
    case suspended
    /// Is live, or was.
    case applied
    case rejected
    case withdrawn

    package var isOpen: Bool {
        switch self {
        case .proposed, .changesRequested, .approved, .scheduled, .suspended: true
        case .applied, .rejected, .withdrawn: false
        }
    }
}

extension App {
    /// What operations would change, field by field, in the order of the paths.
    package func effect(of operations: [Operation]) -> [FieldChange] {
        effect(leadingTo: documents(applying: operations))
    }

    /// What is different in these documents, field by field, in the order of the paths.
    func effect(leadingTo after: [Platform: Document]) -> [FieldChange] {
        settings.platforms.sorted().flatMap { platform in
            document(platform).changes(to: after[platform] ?? document(platform))
        }
    }

    /// The app's documents as they would be after the operations.
    package func documents(applying operations: [Operation]) -> [Platform: Document] {
        var after = documents
        for operation in operations {
            after[operation.platform]?.apply(operation)
        }
        return withoutWithdrawn(after)
    }
}

/// What an approval binds to: if any of it differs, the approval is of something else.
package struct ChangeContent: Equatable, Sendable {
    package let app: AppSlug
    package let operations: [Operation]
    package let schedule: Schedule?
    /// Each field before and after, against what is live.
    package let effect: [FieldChange]

    package init(
        app: AppSlug,
        operations: [Operation],
        schedule: Schedule?,
        effect: [FieldChange]
    ) {
        self.app = app
        self.operations = operations
        self.schedule = schedule
        self.effect = effect
    }
}

/// SHA-256 of the canonical form of a ``ChangeContent``; it is the change's entity tag.
package struct ChangeDigest: Codable, Hashable, Sendable {
    /// 64 lower-case hexadecimal digits.
    package let hex: String

    package init?(hex: String) {
        guard hex.utf8.count == 64, hex.utf8.allSatisfy(isHexDigit) else { return nil }
        self.hex = hex
    }
}

extension ChangeDigest: CustomStringConvertible {
    package var description: String { hex }
}

/// Makes the digest of a content; the domain says what is hashed, not how.
package typealias ChangeHash = @Sendable (ChangeContent) -> ChangeDigest

/// What sort of thing people said or did about a change between its proposal and its end.
package enum RemarkKind: String, CaseIterable, Sendable {
    case comment
    /// A reviewer wants something else.
    case changesRequested
    /// Other operations took the place of those that were there.
    case revised
    /// It got another time, or none.
    case scheduled
    /// What a check found is right.
    case overridden
}
