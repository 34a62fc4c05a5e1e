package import PlimsollAPI
package import PlimsollDocuments
package import PlimsollDomain
import PlimsollStore

/// A document at a moment.
package struct DocumentView: Equatable, Sendable {
    package let app: AppSlug
    package let document: Document
    package let profile: DocumentProfile
    /// The position whose state it is: the last of a whole append.
    package let position: Position
}

/// A change, and the people behind it.
struct ChangeCause {
    let id: ChangeID
    let author: PrincipalID
    let approvers: [PrincipalID]
    let reason: Reason?
    /// What it was an emergency in, where it was one: nobody had to approve it.
    let incident: Title?

    /// Those stand behind it who approved what was applied, and had not lapsed by then.
    init?(id: ChangeID, _ history: [RecordedEvent], lapsed: [Approval]) {
        guard let record = ChangeRecord(id: id, history: history, lapsed: lapsed) else {
            return nil
        }
        self.id = id
        author = record.proposal.author
        reason = record.proposal.reason
        incident = history.lazy.compactMap(\.incident).first
        approvers = record.approvals.map(\.told).filter(\.counts).map(\.verdict.by)
    }
}

extension AuditedEvent {
    /// Who stands behind it; without a change nobody proposed it, as with a rollback.
    func origin(_ causes: [ChangeID: ChangeCause]) -> FieldOrigin {
        let cause = change.flatMap { causes[$0] }
        return FieldOrigin(
            author: cause?.author ?? recorded.origin.actor,
            approvers: cause?.approvers ?? [],
            change: cause?.id,
            reason: (cause?.reason ?? recorded.origin.reason)?.text,
            incident: cause?.incident?.text
        )
    }
}

extension RecordedEvent {
    fileprivate var incident: Title? {
        guard case .change(.emergencyApplied(let emergency)) = event else { return nil }
        return emergency.incident
    }
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

extension App {
    /// What there is to know of what clients of Prince of Versions are told once the operations are
    /// applied; nothing where they do not fit what is live.
    func princeNotes(
        applying operations: [Operation],
        at now: Instant
    ) -> [PrinceOfVersionsAnswer.Note] {
        guard objections(toTrying: operations).isEmpty else { return [] }
        let applied = documents(applying: operations)
        return princeNotes(from: document, to: { applied[$0] ?? document($0) }, at: now)
    }

    /// The same of documents that others take the place of, told with what is known of releases.
    func princeNotes(
        from before: (Platform) -> Document,
        to after: (Platform) -> Document,
        at now: Instant
    ) -> [PrinceOfVersionsAnswer.Note] {
        func export(_ document: (Platform) -> Document) -> PrinceOfVersionsExport {
            var source = PrinceOfVersionsExport.Source(settings.platforms.sorted().map(document))
            source.clients = settings.princeClients
            source.take(releasesTold, at: now)
            return PrinceOfVersionsExport(source)
        }
        return export(after).notes(replacing: export(before)).map(PrinceOfVersionsAnswer.Note.init)
    }
}

extension PrinceOfVersionsAnswer.Note {
    package init(_ note: PrinceOfVersionsNote) {
        self.init(platform: note.platform, code: note.code, detail: note.sentence)
    }
}

/// A part of a long list, and where the next part begins.
package struct Page<Element: Sendable, Cursor: Sendable>: Sendable {
    package let elements: [Element]
    /// `nil` where the list has come to its end.
    package let next: Cursor?
}
