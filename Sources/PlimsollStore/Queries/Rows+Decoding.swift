import PlimsollDomain
import PlimsollPostgres

extension ChangeSummary {
    init(row: Row) throws {
        let (id, app, title, author, state, base, proposedAt, position) = try row.decode(
            (Int64, String, String, String, String, Int, Timestamp, Int).self
        )
        guard
            let id = ChangeID(rawValue: id), let app = AppSlug(app),
            let title = try? Title(validating: title), let author = PrincipalID(author),
            let state = ChangeState(rawValue: state)
        else { throw CorruptReadModel("the row of change \(id) holds what is never written") }
        self.init(
            id: id,
            app: app,
            title: title,
            author: author,
            state: state,
            base: Position(base),
            proposedAt: Instant(proposedAt),
            position: Position(position)
        )
    }
}

extension PublishedSnapshot {
    init(app: AppSlug, row: Row) throws {
        let (sequence, position, digest, keys, publishedAt) = try row.decode(
            (Int64, Int, String, [String], Timestamp).self
        )
        guard let sequence = SnapshotSequence(rawValue: sequence) else {
            throw CorruptReadModel("a snapshot of \(app) has no sequence")
        }
        let record = PublicationRecord(
            sequence: sequence,
            position: Position(position),
            manifestDigest: digest,
            keys: keys.compactMap { KeyID($0) }
        )
        self.init(app: app, record: record, publishedAt: Instant(publishedAt))
    }
}
