/// What happens to a change, on the stream `change/{id}`.
package enum ChangeEvent: Equatable, Sendable {
    case changeProposed(app: AppSlug, title: Title, base: Position)
    /// Operations of the change, in parts that follow the proposal or a revision in the same
    /// append.
    case operationsAdded([Operation])
    /// Takes back all operations; the new ones follow.
    case changeRevised(title: Title, base: Position)
    /// `nil` takes the schedule away.
    case changeScheduled(Schedule?)
    case changeCommented(Reason)
    /// What is wanted stands in the reason.
    case changesRequested(digest: ChangeDigest)
    /// Says by which counts of devices the change was judged, where there were any, and with what its
    /// approver signed it, where they did.
    case changeApproved(
        digest: ChangeDigest,
        comment: Reason?,
        counted: [Platform: Position] = [:],
        signature: PersonSignature? = nil
    )
    /// Why is the reason.
    case checkOverridden(CheckName, digest: ChangeDigest)
    case changeRejected(digest: ChangeDigest)
    case changeWithdrawn
    /// Where it comes from, such as a file of a repository; stands in the append that proposed it.
    case changeSourced(Title)
    /// Its author proposed another change from the same source, in the same append.
    case changeSuperseded(by: ChangeID)
    /// The field events stand before it, in the same append.
    case changeApplied(app: AppSlug, digest: ChangeDigest)
    /// Another change wrote fields of it while it waited for its time, or a minimum that its offers ask
    /// less than.
    case changeOvertaken(by: ChangeID)
    /// It came due and was not applied.
    case changeSuspended(SuspensionCause)
    /// Its time is over; the field events that take it back stand before it, in the same append.
    case changeEnded(app: AppSlug)
    /// It was applied at once and by one person, in the same append as it was proposed.
    case emergencyApplied(Emergency)
    /// Names the position of `emergencyApplied`.
    case emergencyReviewed(Position, ReviewVerdict)
}

extension ChangeEvent: EventOfStream {
    var event: Event { .change(self) }

    var told: any ToldEvent {
        switch self {
        case .changeProposed(let app, let title, let base):
            ChangeEvents.changeProposed(app, title, base)
        case .operationsAdded(let operations): ChangeEvents.operationsAdded(operations)
        case .changeRevised(let title, let base): ChangeEvents.changeRevised(title, base)
        case .changeScheduled(let schedule): ChangeEvents.changeScheduled(schedule)
        case .changeCommented(let comment): ChangeEvents.changeCommented(comment)
        case .changesRequested(let digest): ChangeEvents.changesRequested(digest)
        case .changeApproved(let digest, let comment, let counted, let signature):
            ChangeEvents.changeApproved(digest, comment, counted, signature)
        case .checkOverridden(let check, let digest): ChangeEvents.checkOverridden(check, digest)
        case .changeRejected(let digest): ChangeEvents.changeRejected(digest)
        case .changeWithdrawn: ChangeEvents.changeWithdrawn()
        case .changeSourced(let source): ChangeEvents.changeSourced(source)
        case .changeSuperseded(let id): ChangeEvents.changeSuperseded(id)
        case .changeApplied(let app, let digest): ChangeEvents.changeApplied(app, digest)
        case .changeOvertaken(let id): ChangeEvents.changeOvertaken(id)
        case .changeSuspended(let cause): ChangeEvents.changeSuspended(cause)
        case .changeEnded(let app): ChangeEvents.changeEnded(app)
        case .emergencyApplied(let emergency): ChangeEvents.emergencyApplied(emergency)
        case .emergencyReviewed(let review, let verdict):
            ChangeEvents.emergencyReviewed(review, verdict)
        }
    }
}

/// The events of a change, each declared once.
enum ChangeEvents {
    static let changeProposed = Declared(
        .changeProposed,
        ChangeEvent.changeProposed,
        .app,
        .title,
        .base
    ) { about, app, title, _ in "\(about.subject) proposed for \(app): \(title.text)" }

    // 2: operations on offers; 3: values of every type in offers; 4: those on legacy offers;
    // 5: those on packages.
    static let operationsAdded = Declared(
        .operationsAdded,
        shape: 5,
        ChangeEvent.operationsAdded,
        Members("operations", .list(of: .object(.operation)))
    ) { "\($0.subject) has \($1.count) operation\($1.count == 1 ? "" : "s")" }

    static let changeRevised = Declared(.changeRevised, ChangeEvent.changeRevised, .title, .base) {
        about,
        _,
        _ in
        "\(about.subject) revised"
    }

    static let changeScheduled = Declared(
        .changeScheduled,
        ChangeEvent.changeScheduled,
        Members("schedule", .orNull(.object(.schedule)))
    ) { about, schedule in
        schedule.map { "\(about.subject) scheduled \($0.sentence)" }
            ?? "\(about.subject) not scheduled any more"
    }

    static let changeCommented = Declared(
        .changeCommented,
        ChangeEvent.changeCommented,
        Members("comment", .reason)
    ) { about, _ in "\(about.subject) commented on" }

    static let changesRequested = Declared(
        .changesRequested,
        ChangeEvent.changesRequested,
        .digest
    ) { about, _ in
        "Something else wanted of \(about.subject)"
    }

    // 2: `counted`; 3: `signature`.
    static let changeApproved = Declared(
        .changeApproved,
        shape: 3,
        ChangeEvent.changeApproved,
        .digest,
        .comment,
        .unlessEmpty("counted", .table(.name, of: .position), [:]),
        .optional("signature", .object(.personSignature))
    ) { about, _, _, _, signature in
        "\(about.subject) approved" + (signature == nil ? "" : " and signed")
    }

    static let checkOverridden = Declared(
        .checkOverridden,
        ChangeEvent.checkOverridden,
        Members("check", .name),
        .digest
    ) { about, check, _ in "Check \(check.rawValue) of \(about.subject) overridden" }

    static let changeRejected = Declared(.changeRejected, ChangeEvent.changeRejected, .digest) {
        about,
        _ in
        "\(about.subject) rejected"
    }

    static let changeWithdrawn = Declared(.changeWithdrawn, { ChangeEvent.changeWithdrawn }) {
        "\($0.subject) withdrawn"
    }

    static let changeSourced = Declared(
        .changeSourced,
        ChangeEvent.changeSourced,
        Members("source", .title)
    ) { "\($0.subject) comes from \($1.text)" }

    static let changeSuperseded = Declared(.changeSuperseded, ChangeEvent.changeSuperseded, .by) {
        "\($0.subject) superseded by change \($1), from the same source"
    }

    static let changeApplied = Declared(.changeApplied, ChangeEvent.changeApplied, .app, .digest) {
        about,
        app,
        _ in
        "\(about.subject) applied to \(app)"
    }
    .publishing { _, said in said.0 }

    static let changeOvertaken = Declared(.changeOvertaken, ChangeEvent.changeOvertaken, .by) {
        "\($0.subject) is in conflict with change \($1), which came first"
    }

    static let changeSuspended = Declared(
        .changeSuspended,
        ChangeEvent.changeSuspended,
        Members("cause", .name)
    ) { "\($0.subject) suspended (\($1.rawValue))" }

    static let changeEnded = Declared(.changeEnded, ChangeEvent.changeEnded, .app) {
        "\($0.subject) ended; what of it stood in \($1) went back"
    }
    .publishing { _, app in app }

    static let emergencyApplied = Declared(
        .emergencyApplied,
        ChangeEvent.emergencyApplied,
        .emergency
    ) { "\($0.subject) applied in an emergency: \($1.incident.text)" }

    static let emergencyReviewed = Declared(
        .emergencyReviewed,
        ChangeEvent.emergencyReviewed,
        .review,
        .verdict
    ) { "Emergency review \($1) of \($0.subject) \($2.outcome.rawValue)" }
}

extension Schedule {
    /// `for …`, `until …`, or both.
    fileprivate var sentence: String {
        [at.map { "for \($0)" }, until.map { "until \($0)" }].compactMap(\.self)
            .joined(separator: ", ") + " (\(timeZone.text))"
    }
}
