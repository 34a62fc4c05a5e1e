package import PlimsollDomain

/// A document at a moment.
package struct DocumentView: Equatable, Sendable {
    package let app: AppSlug
    package let document: Document
    package let profile: DocumentProfile
    /// The position whose state it is: the last of a whole append.
    package let position: Position

    package init(
        app: AppSlug,
        document: Document,
        profile: DocumentProfile,
        position: Position
    ) {
        self.app = app
        self.document = document
        self.profile = profile
        self.position = position
    }
}

/// What is different between two states of an app's documents.
package struct DiffView: Equatable, Sendable {
    package let app: AppSlug
    package let from: Side
    package let to: Side
    /// Each field that differs, platform by platform and in the order of the paths.
    package let changes: [FieldChange]
    /// What both states block of the devices that were counted last.
    package let blocked: [BlockedShare]

    /// A state as it was asked for, and where in the log it is found.
    package struct Side: Equatable, Sendable {
        package let name: StateName
        /// The last position of a whole append; for an open change, what it was laid over.
        package let position: Position
    }
}

/// Where each field of a document has its content from.
package struct BlameView: Equatable, Sendable {
    package let app: AppSlug
    package let platform: Platform
    /// The position whose state it is.
    package let position: Position
    /// One for each field that holds something, in the order of their paths.
    package let lines: [Line]

    /// A field, and the event that wrote it last.
    package struct Line: Equatable, Sendable {
        package let field: Field
        package let value: FieldValue
        package let event: RecordedEvent
        /// The change behind it; `nil` where nobody proposed it, as with a rollback.
        package let cause: Cause?
    }

    /// A change, and the people behind it.
    package struct Cause: Equatable, Sendable {
        package let id: ChangeID
        package let author: PrincipalID
        package let approvers: [PrincipalID]
        package let reason: Reason?
        /// What it was an emergency in, where it was one: nobody had to approve it.
        package let incident: Title?

        /// Those stand behind it who approved what was applied, and had not lapsed by then.
        init?(id: ChangeID, _ history: [RecordedEvent], lapsed: [Approval]) {
            guard let record = ChangeRecord(id: id, history: history, lapsed: lapsed) else {
                return nil
            }
            self.id = id
            author = record.proposal.author
            reason = record.proposal.reason
            incident = history.lazy.compactMap(\.incident).first
            approvers = record.outcome.approvals.filter(\.counts).map(\.verdict.by)
        }
    }
}

extension RecordedEvent {
    fileprivate var incident: Title? {
        guard case .change(.emergencyApplied(let emergency)) = event else { return nil }
        return emergency.incident
    }
}

/// An event that wrote a field, and the people behind it.
package struct FieldWriteView: Equatable, Sendable {
    /// The field before and after the event.
    package let change: FieldChange
    package let event: RecordedEvent
    /// The change behind it; `nil` where nobody proposed it, as with a rollback.
    package let cause: BlameView.Cause?
}

/// Which writes of a field are wanted, newest first.
package struct FieldHistoryQuery: Equatable, Sendable {
    package let app: AppSlug
    package let field: Field
    /// The event behind which to go on.
    package var after: Position?
    package var limit = 50

    package static let limitMaximum = 500

    package init(app: AppSlug, field: Field) {
        (self.app, self.field) = (app, field)
    }
}

/// What every known release shows in one state of a document, and in another.
package struct MatrixView: Equatable, Sendable {
    package let app: AppSlug
    package let from: DiffView.Side
    /// `nil` where one state is looked at.
    package let to: DiffView.Side?
    package let matrix: DeviceMatrix
}

/// What one device shows in one state of a document, and in another.
package struct SimulationView: Equatable, Sendable {
    package let app: AppSlug
    /// Whose phones show it; `nil` where no shipped app is known on the platform.
    package let client: ClientGeneration?
    package let from: DiffView.Side
    /// `nil` where one state is looked at, or edits that are no state yet.
    package let to: DiffView.Side?
    package let before: DeviceReading
    package let after: DeviceReading
    /// The apps in people's hands that refuse the document that was asked for.
    package let unread: [UnreadDocument]
    /// What the store offers the device; `nil` where that is not known.
    package let store: VersionValue?
}

/// All documents of an app before and after a change, of which clients of Prince of Versions are
/// told.
package struct PrinceOfVersionsEffect: Equatable, Sendable {
    package let before: AppDocumentsView
    package let after: AppDocumentsView

    /// `nil` where the operations do not fit what is live, and nothing could be told.
    init?(_ app: App, applying operations: [Operation], at now: Instant, _ position: Position) {
        guard app.objections(toTrying: operations).isEmpty else { return nil }
        let applied = app.documents(applying: operations)
        self.init(
            app,
            from: app.document,
            to: { applied[$0] ?? app.document($0) },
            at: now,
            position
        )
    }

    /// What documents come to, told with what is known of releases.
    init(
        _ app: App,
        from before: (Platform) -> Document,
        to after: (Platform) -> Document,
        at now: Instant,
        _ position: Position
    ) {
        func view(_ document: (Platform) -> Document) -> AppDocumentsView {
            AppDocumentsView(
                app: app.slug,
                documents: app.settings.platforms.sorted().map(document),
                princeClients: app.settings.princeClients,
                releases: app.releasesTold,
                at: now,
                position: position
            )
        }
        (self.before, self.after) = (view(before), view(after))
    }
}
