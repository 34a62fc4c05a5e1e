import HashTreeCollections

/// Everything that decisions are made on: the fold of all events so far.
///
/// A value that is cheap to copy, so that a command can be decided on a state that is not yet
/// durable and the state be dropped if it never comes true.
package struct World: Equatable, Sendable {
    package private(set) var position = Position.start
    package private(set) var lastRecordedAt: Instant?
    private var appsBySlug: TreeDictionary<AppSlug, App> = [:]
    package private(set) var defaultApp: AppSlug?
    private var openChanges: TreeDictionary<ChangeID, Change> = [:]
    private var openChangeCounts: TreeDictionary<AppSlug, Int> = [:]
    private var closedChanges: TreeDictionary<ChangeID, ClosedChange> = [:]
    package private(set) var nextChange = ChangeID.first
    package private(set) var access = Access()
    package private(set) var keyring = Keyring()
    private var publications: TreeDictionary<AppSlug, PublicationRecord> = [:]
    private var revisions: TreeDictionary<StreamName, Revision> = [:]

    package init() {}

    package func revision(of stream: StreamName) -> Revision {
        revisions[stream] ?? .none
    }

    /// Every app, in the order of the slugs.
    package var apps: [App] {
        appsBySlug.values.sorted { $0.slug < $1.slug }
    }

    package func app(_ slug: AppSlug) -> App? {
        appsBySlug[slug]
    }

    /// The change while it can still be applied.
    package func openChange(_ id: ChangeID) -> Change? {
        openChanges[id]
    }

    /// How many changes of an app wait to be decided.
    package func openChangeCount(of app: AppSlug) -> Int {
        openChangeCounts[app] ?? 0
    }

    /// How a change ended that cannot be applied any more.
    package func endOfChange(_ id: ChangeID) -> ChangeState? {
        closedChanges[id]?.state
    }

    /// The app that a change is about, whatever became of it.
    package func app(ofChange id: ChangeID) -> AppSlug? {
        openChanges[id]?.app ?? closedChanges[id]?.app
    }

    /// What was last published of an app.
    package func publication(of app: AppSlug) -> PublicationRecord? {
        publications[app]
    }

    /// Takes in the next event of the log; none is left out.
    package mutating func evolve(_ recorded: RecordedEvent) {
        precondition(
            recorded.position == position.advanced(by: 1),
            "events are folded in the order of the log, none left out"
        )
        position = recorded.position
        lastRecordedAt = lastRecordedAt.map { max($0, recorded.recordedAt) } ?? recorded.recordedAt
        revisions[recorded.stream] = recorded.revision
        fold(recorded)
    }

    private mutating func fold(_ recorded: RecordedEvent) {
        switch (recorded.stream, recorded.event) {
        case (.app(let slug), .app(let event)): evolveApp(slug, event, recorded)
        case (.change(let id), .change(let event)): evolveChange(id, event, recorded)
        case (.access, .access(let event)): access.evolve(event, by: recorded.origin.actor)
        case (.keys, .key(let event)): keyring.evolve(event)
        case (.service, .service(.defaultAppChosen(let slug))): defaultApp = slug
        case (.export(let slug), .export(.snapshotPublished(let record))):
            publications[slug] = record
        case (.export, .export(.publicationFailed)): break
        case (.app, _), (.change, _), (.access, _), (.keys, _), (.service, _), (.export, _): break
        }
    }

    private mutating func evolveApp(_ slug: AppSlug, _ event: AppEvent, _ recorded: RecordedEvent) {
        if case .appRegistered(let settings) = event {
            appsBySlug[slug] = App(slug: slug, settings: settings)
        } else {
            let write = FieldWrite(
                position: recorded.position,
                actor: recorded.origin.actor,
                recordedAt: recorded.recordedAt
            )
            appsBySlug[slug]?.evolve(event, write: write)
        }
    }

    private mutating func evolveChange(
        _ id: ChangeID,
        _ event: ChangeEvent,
        _ recorded: RecordedEvent
    ) {
        if case .changeProposed(let app, let title, let base) = event {
            openChanges[id] = Change(
                id: id,
                app: app,
                title: title,
                base: base,
                author: recorded.origin.actor,
                proposedAt: recorded.recordedAt
            )
            openChangeCounts[app, default: 0] += 1
            nextChange = max(nextChange, id.next)
            return
        }
        openChanges[id]?.evolve(event)
        if let change = openChanges[id], !change.state.isOpen {
            openChanges[id] = nil
            openChangeCounts[change.app, default: 1] -= 1
            closedChanges[id] = ClosedChange(app: change.app, state: change.state)
        }
    }
}

/// What is kept of a change that can be decided no more.
private struct ClosedChange: Equatable, Sendable {
    let app: AppSlug
    let state: ChangeState
}
