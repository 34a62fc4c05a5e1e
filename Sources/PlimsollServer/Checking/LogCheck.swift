import PlimsollDocuments
package import PlimsollDomain
package import PlimsollLog
import PlimsollPostgres
import PlimsollPublishing
import PlimsollService
import PlimsollStore
import PlimsollSystem

/// Looks at every event of the log, in a database that runs already.
///
/// It changes nothing and needs no running service.
/// Where the data folder is known, what lies published in it has to agree with the log.
package struct LogCheck: Sendable {
    private let database: RunningDatabase
    private let export: ExportFolder?
    private let entryKeys: EntryKeyFolder?
    private let outside: [OutsideCheckpoint]
    private let key: VerifierKey?

    /// What the whole log came to.
    package enum Finding: Equatable, Sendable {
        /// Everything fits; the root stands for all of it.
        case sound(events: Int, root: String, Particulars)
        /// The first event that does not fit, and how.
        case broken(Position, String)
    }

    /// What else there is to say of a log in which everything fits.
    package struct Particulars: Equatable, Sendable {
        /// From which event on entries are authenticated; `nil` where none is.
        package let since: Position?
        /// Whether that was computed: `false` where the secrets are not at hand.
        package let isComputed: Bool
        /// Why it was not, though there are keys here: one is not among them, or cannot be read.
        package let obstacle: String?
        /// How many approvals there are; that they were given is the service's word.
        package let approvals: Int
        /// How many of them persons signed, each of which was checked.
        package let signed: Int
        /// Records of commands that no entry names, which the service never makes.
        package let strayCommands: [CommandID]
        /// Over how many events checkpoints are recorded that are not as the log's key signed them.
        package let strayCheckpoints: [Int]
        /// How the names beside the log are; `nil` where none are at hand.
        package let names: NameFindings?
    }

    /// Takes the absolute path of the data folder too, if there is one here, checkpoints that were
    /// kept elsewhere, and the key that has to have signed what is published here and what is recorded;
    /// without it that is the one that lies beside what is published.
    package init(
        _ database: RunningDatabase,
        data: String?,
        outside: [OutsideCheckpoint] = [],
        key: VerifierKey? = nil
    ) {
        self.database = database
        self.outside = outside
        self.key = key
        export = data.map { ExportFolder(Path($0) / "export") }
        entryKeys = data.map { EntryKeyFolder(Path($0) / "keys" / EntryKeyFolder.name) }
    }

    /// What the log is held against: what was kept elsewhere, and what is published here.
    package func checkpoints() throws(LogCheckFailure) -> [OutsideCheckpoint] {
        outside + (try export?.outsideCheckpoints(by: key) ?? [])
    }

    /// What an operator has given up here, by notes that the log's key has signed.
    package func renunciations() throws(LogCheckFailure) -> [CheckpointOverride] {
        guard let export, let key = try logKey() else { return [] }
        do {
            return try CheckpointOverrides(export).all(signedBy: [key])
        } catch {
            throw LogCheckFailure(description: "The export folder cannot be read. \(error)")
        }
    }

    private func logKey() throws(LogCheckFailure) -> VerifierKey? {
        guard key == nil, let export else { return key }
        return try export.logKeyIfPublished()
    }

    package func run() async throws(LogCheckFailure) -> Finding {
        try await run(against: checkpoints())
    }

    /// The same with what ``checkpoints()`` gave.
    package func run(
        against outside: [OutsideCheckpoint]
    ) async throws(LogCheckFailure) -> Finding {
        try await database.withPool(sessionsMaximum: 1) { pool throws(LogCheckFailure) in
            try await look(EventLog(pool), Directory(pool), outside)
        }
    }

    /// First the log by itself, so that it can be folded; then what others know of it.
    private func look(
        _ log: EventLog,
        _ directory: Directory,
        _ outside: [OutsideCheckpoint]
    ) async throws(LogCheckFailure) -> Finding {
        // Once before, so that a name that is erased meanwhile is not missed.
        let before = try await names(in: directory)
        let key = try logKey()
        let entries: EntryVerifier
        do throws(LogError) {
            switch try await log.verify(
                signedBy: key,
                with: { .deciding(rootsOf: $0.union(outside.map(\.size)), keysIn: entryKeys) }
            ) {
            case .sound(let found): entries = found
            case .contradicted(let found, let flaw):
                return await Finding(of: found, against: outside)
                    ?? Finding(flaw, signedBy: key)
            case .broken(let found, let flaw):
                return await Finding(of: found, before: flaw, against: outside) ?? Finding(flaw)
            }
        } catch {
            throw failure(error)
        }
        if let found = await Finding(of: entries, against: outside) { return found }
        if let found = try await damage(of: entries.leaves, outside) { return found }
        if let export, let found = try await contradiction(of: log, in: export) { return found }
        let names = before.merging(try await names(in: directory)) { $1 }
        do throws(LogError) {
            return .sound(
                of: entries,
                strayCommands: try await log.strayCommands(behind: entries.frontier.size),
                strayCheckpoints: try await log.strayCheckpoints(signedBy: key),
                names,
                isComputed: entryKeys != nil
            )
        } catch {
            throw failure(error)
        }
    }

    private func names(
        in directory: Directory
    ) async throws(LogCheckFailure) -> [PrincipalID: SaltedName] {
        do throws(PostgresError) {
            return try await directory.everyName()
        } catch {
            throw failure(.database(error))
        }
    }

    /// What is damaged of the published tree although the log under it is whole.
    private func damage(
        of leaves: [MerkleHash],
        _ outside: [OutsideCheckpoint]
    ) async throws(LogCheckFailure) -> Finding? {
        guard let export,
            let standing = outside.first(where: { $0.source == "\(export.logCheckpoint)" })
        else { return nil }
        do {
            let tree = PublishedTree(publicReading(of: export.log))
            let under = leaves.prefix(standing.size)
            guard let tile = try await tree.damage(under: under) else { return nil }
            return .broken(
                tile.firstEvent,
                "The published \(tile.path) is not what the log makes. The log itself is whole: put"
                    + " the file back from a backup of the export."
            )
        } catch {
            throw LogCheckFailure(description: "The published log cannot be read. \(error)")
        }
    }

    private func contradiction(
        of log: EventLog,
        in export: ExportFolder
    ) async throws(LogCheckFailure) -> Finding? {
        let givenUp = try renunciations().compactMap(\.lost)
        let published: PublishedDocuments
        do throws(FileError) {
            published = try PublishedDocuments(in: export, givenUp: givenUp)
        } catch {
            throw LogCheckFailure(description: "The export folder cannot be read. \(error)")
        }
        do throws(LogError) {
            var witness = try await log.replay(into: LogWitness(published)) { witness, event in
                witness.take(event)
            }
            witness.end()
            return witness.contradiction.map { .broken($0.position, $0.sentence) }
        } catch {
            throw failure(error)
        }
    }

    private func failure(_ error: LogError) -> LogCheckFailure {
        guard case .database(let cause) = error else {
            return LogCheckFailure(description: error.description)
        }
        return LogCheckFailure(
            description: "The log at \(database.connection) cannot be read: \(cause.description)"
        )
    }
}

extension EntryKeyFolder {
    /// The keys in a data folder; `nil` where that is not known, or has none yet.
    init?(of data: String?) {
        guard let path = data.map({ Path($0) / "keys" / Self.name }) else { return nil }
        do throws(FileError) {
            guard try path.status() != nil else { return nil }
        } catch {
            // It may have some: whoever needs one is told why it cannot be read.
        }
        self.init(path)
    }
}

extension EntryVerifier {
    /// One that also decides everything again.
    static func deciding(
        rootsOf sizes: Set<Int>,
        keysIn folder: EntryKeyFolder? = nil,
        needingAll needsSecrets: Bool = true
    ) -> EntryVerifier {
        EntryVerifier(
            deciding: DecisionAudit(hash: ChangeDigest.init(of:), isSigned: { $0.signs($1) }),
            rootsOf: sizes,
            authentication: EntryAuthentication(keysIn: folder, needingAll: needsSecrets)
        )
    }
}

extension LogCheck.Finding {
    init(_ found: LogFlawFound) {
        self = .broken(found.position, "\(found.flaw)")
    }

    /// The same of a checkpoint that is recorded, which accuses an event only if the log's key signed it.
    init(_ found: LogFlawFound, signedBy key: VerifierKey?) {
        guard key == nil, case .checkpoint = found.flaw else {
            self.init(found)
            return
        }
        self = .broken(
            found.position,
            "\(found.flaw) Or somebody else recorded that: with --data, or --checkpoint and --log-key, it is"
                + " seen whether the log's key signed it."
        )
    }

    static func sound(
        of entries: EntryVerifier,
        strayCommands: [CommandID],
        strayCheckpoints: [Int],
        _ names: [PrincipalID: SaltedName]?,
        isComputed: Bool
    ) -> Self {
        let root = entries.frontier.root
        return .sound(
            events: root.size,
            root: root.hash.description,
            LogCheck.Particulars(
                since: entries.authenticatedSince,
                isComputed: isComputed && entries.obstacle == nil,
                obstacle: entries.obstacle?.description,
                approvals: entries.approvals.given,
                signed: entries.approvals.signed,
                strayCommands: strayCommands,
                strayCheckpoints: strayCheckpoints,
                names: names.flatMap { names in
                    entries.audit.map { NameFindings(names, in: $0.logState.access) }
                }
            )
        )
    }

    /// An event that was changed shows by itself only where others contradict it; in what was
    /// signed, at its own place.
    init?(
        of entries: EntryVerifier,
        before flaw: LogFlawFound,
        against outside: [OutsideCheckpoint]
    ) async {
        var first: (position: Position, sentence: String)?
        for checkpoint in outside {
            guard let found = await checkpoint.fork(from: entries.leaves),
                found.0 < first?.position ?? flaw.position
            else { continue }
            first = found
        }
        guard let first else { return nil }
        self = .broken(first.position, first.sentence)
    }

    /// The first contradiction between the log and what was signed of it, if there is one.
    init?(of entries: EntryVerifier, against outside: [OutsideCheckpoint]) async {
        var first: (position: Position, sentence: String)?
        for checkpoint in outside {
            guard let found = await checkpoint.contradiction(of: entries) else { continue }
            if first.map({ found.0 < $0.position }) ?? true { first = found }
        }
        guard let first else { return nil }
        self = .broken(first.position, first.sentence)
    }
}

/// The log could not be looked at, which says nothing about what is in it.
package struct LogCheckFailure: Error, Equatable, Sendable, CustomStringConvertible {
    package let description: String
}

/// Folds the log, and holds what was published against it.
struct LogWitness: Sendable {
    private var logState = LogState()
    private let published: PublishedDocuments
    /// The first event that what was published contradicts.
    private(set) var contradiction: (position: Position, sentence: String)?

    init(_ published: PublishedDocuments) {
        self.published = published
        contradiction = published.unreadable
    }

    mutating func take(_ event: RecordedEvent) {
        guard contradiction == nil else { return }
        logState.evolve(event)
        for witness in published.byPosition[logState.position] ?? [] where contradiction == nil {
            contradiction = contradiction(of: witness)
        }
    }

    /// The log has come to its end; what was published of later events shows that it is older.
    mutating func end() {
        guard contradiction == nil,
            let (position, published) = published.byPosition.filter({ $0.key > logState.position })
                .min(by: { $0.key < $1.key }),
            let witness = published.first
        else { return }
        contradiction = (
            position,
            "\(witness.file) was published of event \(position), but the log ends at"
                + " \(logState.position): it is older than what phones were served."
        )
    }

    private func contradiction(
        of witness: PublishedDocuments.Published
    ) -> (position: Position, sentence: String)? {
        guard let app = logState.app(witness.app) else {
            return (
                logState.position, "\(witness.file) was published of an app that did not exist."
            )
        }
        let document = AvailabilityDocument(app.document(witness.document.platform), stamp: nil)
        let profile = app.settings.profile
        let told = document.asRead(profile)
        guard let change = witness.document.changes(to: told).first,
            witness.document != document.asRead(profile, as: .former)
        else { return nil }
        let place = app.lastWrite(of: change.field)?.position ?? logState.position
        return (
            place,
            "The log makes \(change.field) \(shown(change.after)), but \(witness.file), which was"
                + " published then, says \(shown(change.before))."
        )
    }

    private func shown(_ value: FieldValue?) -> String {
        value.map { "“\($0.description.prefix(60))”" } ?? "nothing"
    }
}

/// The file with the key that the secrets of webhooks are made from, as somebody looks at it on the
/// machine of a service.
package struct WebhookKeyFile: Sendable {
    private let key: WebhookKey

    /// Takes the absolute path of a data folder.
    package init(of data: String) {
        key = WebhookKey(Path(data) / "keys" / WebhookKey.fileName)
    }

    /// Why the key cannot be used; `nil` where it can be, or where there is none yet.
    package var fault: String? {
        do throws(WebhookKeyError) {
            _ = try key.id()
            return nil
        } catch {
            return error.description
        }
    }
}
