package import PlimsollDomain

/// What a run of events changes in the read models: pure, events in and rows out.
///
/// A batch holds whole appends only, so that no reader ever sees half a decision.
package struct Batch: Sendable {
    package private(set) var logState: LogState
    private var content: BatchContent

    package init(on logState: LogState) {
        self.logState = logState
        content = BatchContent(behind: logState.position)
    }

    package var end: Position { logState.position }
    package var events: [AuditedEvent] { content.events }
    package var changes: [ChangeID: ChangeRow] { content.changes }
    var rows: FoldedRows { content.rows }

    /// Gives away what was taken in, and begins anew behind it.
    ///
    /// Without the state, which would have to be copied to be changed while somebody else has it.
    mutating func takeContent() -> BatchContent {
        defer { content = BatchContent(behind: end) }
        return content
    }

    /// Takes in the events of one append.
    package mutating func take(append: ArraySlice<RecordedEvent>) {
        guard let end = append.last?.position else { return }
        let change = Self.change(carriedOutIn: append)
        let decided = takeEffects(ofChangesAppliedIn: append, end: end)
        for recorded in append {
            let app = logState.app(of: recorded)
            // Not a copy of the state: evolving it would copy all that it shares.
            let open = logState.openChange(of: recorded)
            let fields = logState.fields(writtenBy: recorded)
            let predecessor = logState.predecessor(of: recorded)
            let scheduled = logState.schedules(stoppedBy: recorded)
            logState.evolve(recorded)
            content.events.append(
                AuditedEvent(
                    recorded,
                    reachedAt: logState.lastRecordedAt ?? recorded.recordedAt,
                    app: app,
                    change: recorded.stream.change ?? change,
                    fields: fields,
                    predecessor: predecessor
                )
            )
            takeChange(recorded, open, end: end, decided: decided)
            take(suspended: scheduled, end: end)
            takeSnapshot(recorded)
        }
        if decided == nil { takeWaiting(in: append, end: end) }
        content.end = end
    }

    /// What wrote the fields of an append: the change that it applies or ends, whichever others it
    /// says something of, else the first that it speaks of.
    private static func change(carriedOutIn append: ArraySlice<RecordedEvent>) -> ChangeID? {
        var first: ChangeID?
        for recorded in append {
            guard let id = recorded.stream.change else { continue }
            if case .change(.changeApplied) = recorded.event { return id }
            if case .change(.changeEnded) = recorded.event { return id }
            first = first ?? id
        }
        return first
    }

    /// The effect of a change is against what was live before the decision to apply it, so it is
    /// taken before the field events of the append are.
    ///
    /// Answers which changes that were; `nil` where none is applied at all.
    private mutating func takeEffects(
        ofChangesAppliedIn append: ArraySlice<RecordedEvent>,
        end: Position
    ) -> Set<ChangeID>? {
        var decided: Set<ChangeID>?
        for recorded in append {
            guard case .change(.changeApplied) = recorded.event,
                case .change(let id) = recorded.stream
            else { continue }
            decided = decided ?? []
            guard let change = logState.openChange(id) else { continue }
            content.changes[id] = row(change, change.state, end)
            decided?.insert(id)
        }
        return decided
    }

    /// What changes would do that go on waiting, once for all that the append says of them.
    private mutating func takeWaiting(in append: ArraySlice<RecordedEvent>, end: Position) {
        for id in Set(append.lazy.compactMap(\.stream.change)) {
            guard let change = logState.openChange(id) else { continue }
            content.changes[id] = row(change, change.state, end)
        }
    }

    private mutating func takeChange(
        _ recorded: RecordedEvent,
        _ open: Change?,
        end: Position,
        decided: Set<ChangeID>?
    ) {
        guard case .change(let id) = recorded.stream, case .change(let event) = recorded.event
        else { return }
        switch event {
        case .changeProposed, .operationsAdded, .changeApproved, .changeRevised, .changeScheduled,
            .changeCommented, .checkOverridden, .changesRequested, .changeOvertaken,
            .changeSourced,
            .changeSuspended:
            guard let decided, !decided.contains(id), let change = logState.openChange(id)
            else { return }
            content.changes[id] = row(change, change.state, end)
        case .changeRejected:
            content.changes[id] = open.flatMap { row($0, .rejected, end) }
        case .changeWithdrawn, .changeSuperseded:
            content.changes[id] = open.flatMap { row($0, .withdrawn, end) }
        case .changeApplied: content.changes[id]?.close(.applied, at: end)
        case .changeEnded, .emergencyApplied, .emergencyReviewed: break
        }
    }

    private mutating func take(suspended: [ChangeID], end: Position) {
        for id in suspended {
            guard let change = logState.openChange(id) else { continue }
            content.changes[id] = row(change, change.state, end)
        }
    }

    private func row(_ change: Change, _ state: ChangeState, _ end: Position) -> ChangeRow? {
        logState.app(change.app).map { app in
            ChangeRow(
                change: change,
                state: state,
                effect: app.effect(of: change.operations),
                position: end
            )
        }
    }

    private mutating func takeSnapshot(_ recorded: RecordedEvent) {
        guard case .export(let app) = recorded.stream,
            case .export(.snapshotPublished(let record)) = recorded.event
        else { return }
        content.snapshots.append(
            PublishedSnapshot(app: app, record: record, publishedAt: recorded.recordedAt)
        )
    }
}

/// What a batch has taken in.
struct BatchContent: Sendable {
    let start: Position
    fileprivate(set) var end: Position
    fileprivate(set) var events: [AuditedEvent] = []
    fileprivate(set) var changes: [ChangeID: ChangeRow] = [:]
    fileprivate(set) var snapshots: [PublishedSnapshot] = []

    init(behind position: Position) {
        (start, end) = (position, position)
    }
}

extension LogState {
    /// The change whose stream an event stands in, as it is just before it.
    fileprivate func openChange(of recorded: RecordedEvent) -> Change? {
        guard case .change(let id) = recorded.stream else { return nil }
        return openChange(id)
    }

    /// The schedules that an event will put an end to.
    fileprivate func schedules(stoppedBy recorded: RecordedEvent) -> [ChangeID] {
        guard case .app(let app) = recorded.stream,
            case .app(.rolledBack(let record)) = recorded.event
        else { return [] }
        return scheduledChanges(of: app, stoppedBy: record)
    }

    /// What an event will do to the fields of the document as it is just before it.
    fileprivate func fields(writtenBy recorded: RecordedEvent) -> [FieldChange] {
        guard case .app(let slug) = recorded.stream, case .app(let event) = recorded.event,
            let operation = event.operation, let app = app(slug)
        else { return [] }
        return app.document(operation.platform).changes(by: operation)
    }

    /// The app that an event is about, by what is known just before it.
    fileprivate func app(of recorded: RecordedEvent) -> AppSlug? {
        switch (recorded.stream, recorded.event) {
        case (.app(let app), _), (.export(let app), _): app
        case (_, .change(.changeProposed(let app, _, _))),
            (_, .change(.changeEnded(let app))):
            app
        case (_, .change(.emergencyReviewed(let review, _))): openReview(review)?.app
        case (.change(let id), _): openChange(id)?.app
        case (_, .key(.keyAdded(let record))): record.app
        case (_, .key(.keyActivated(_, let app))), (_, .key(.keyRetired(_, let app))),
            (_, .key(.keyCompromised(_, let app))):
            app
        case (_, .service(.defaultAppChosen(let app))): app
        case (_, .webhook(let event)): webhooks.app(of: event)
        case (.access, _), (.keys, _), (.service, _), (.webhooks, _): nil
        }
    }
}

extension StreamName {
    fileprivate var change: ChangeID? {
        if case .change(let id) = self { id } else { nil }
    }
}

/// Cuts a run of events into whole appends: the events that share a command.
package func appends(of events: ArraySlice<RecordedEvent>) -> [ArraySlice<RecordedEvent>] {
    var appends: [ArraySlice<RecordedEvent>] = []
    var start = events.startIndex
    while start < events.endIndex {
        let command = events[start].command
        let end = events[start...].firstIndex { $0.command != command } ?? events.endIndex
        appends.append(events[start..<end])
        start = end
    }
    return appends
}

/// An event with what only its place in the log tells: what it is about, and what it changed.
package struct AuditedEvent: Equatable, Sendable {
    package let recorded: RecordedEvent
    /// The latest time that the log had seen by it, which never goes back.
    package let reachedAt: Instant
    /// The app that it is about, if it is about one.
    package let app: AppSlug?
    /// The change that it belongs to, or that its append carried out.
    package let change: ChangeID?
    /// Each field that it wrote, before and after it.
    package let fields: [FieldChange]
    /// What stood where it puts something else that is no field.
    package let predecessor: Predecessor?

    package init(
        _ recorded: RecordedEvent,
        reachedAt: Instant,
        app: AppSlug?,
        change: ChangeID?,
        fields: [FieldChange],
        predecessor: Predecessor? = nil
    ) {
        self.recorded = recorded
        self.reachedAt = reachedAt
        self.app = app
        self.change = change
        self.fields = fields
        self.predecessor = predecessor
    }

    package var position: Position { recorded.position }
}

/// A change as lists show it.
package struct ChangeRow: Equatable, Sendable {
    package let change: Change
    package private(set) var state: ChangeState
    /// As it was when the change was proposed or decided.
    package let effect: [FieldChange]
    package private(set) var position: Position

    mutating func close(_ state: ChangeState, at position: Position) {
        self.state = state
        self.position = position
    }
}
