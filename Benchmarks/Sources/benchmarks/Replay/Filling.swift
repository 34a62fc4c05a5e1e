import PlimsollDocuments
import PlimsollDomain
import PlimsollSystem
import PlimsollPostgres
import PlimsollStore
import PlimsollService

/// Fills a log with what a service writes in years: changes to many apps, each proposed,
/// approved, applied and published.
struct Filling: Sendable {
    let server: ScratchServer
    let folder: Path
    /// How many events the log has at least.
    let events: Int
    /// So many changes are on their way at once, one an app.
    var appCount = Self.apps
    /// What entries are authenticated with; `nil` leaves them as they are.
    var authentication: EntryAuthentication?

    /// How many apps there are where nobody says.
    static let apps = 64

    /// Leaves a log alone that is long enough already.
    func run() async throws {
        let isFilled = try await WorkingWriter.with(
            on: server,
            authentication: authentication
        ) { working in
            let writer = working.writer
            guard writer.logState.position.rawValue < events else { return true }
            if let first = authentication?.first, writer.logState.entryKeys.current == nil {
                let command = AddEntryKey(first, reason: nil, by: .system)
                _ = try await writer.perform(CommandRequest(command))
            }
            let crew = try await Crew.admitted(
                by: writer,
                apps: appCount,
                keys: folder / "keys"
            )
            try await withThrowingTaskGroup(of: Void.self) { group in
                for app in crew.apps {
                    group.addTask(name: "changes") {
                        let author = Author(writer: writer, crew: crew, app: app)
                        try await author.work { writer.logState.position.rawValue < events }
                    }
                }
                try await group.waitForAll()
            }
            return false
        }
        guard !isFilled else { return }
        try await server.withSession { session in
            try await session.execute("VACUUM ANALYZE log.event", timeout: .seconds(600))
            try await session.execute("CHECKPOINT", timeout: .seconds(600))
        }
    }
}

/// Goes on changing one app.
private struct Author {
    let writer: Writer
    let crew: Crew
    let app: AppSlug

    func work(while goOn: () -> Bool) async throws {
        var base = writer.logState.position
        // Ahead of whatever a former run set.
        var number = Int(base.rawValue)
        while goOn() {
            number += 1
            base = try await change(number, base)
        }
    }

    /// Answers where the log stood when the change was applied.
    private func change(_ number: Int, _ base: Position) async throws -> Position {
        let proposal = ProposeChange(
            app: app,
            title: try Title(validating: "Raise the line to \(number).0.0"),
            reason: try Reason(validating: "\(number).0.0 repairs the lock of the log book."),
            base: base,
            operations: try operations(number),
            by: crew.proposer
        )
        let proposed = try await writer.perform(crew.request(proposal))
        let approval = try approval(of: proposed)
        let approved = try await writer.perform(crew.request(approval))
        let sequence = SnapshotSequence(orderedBy: approved.position)
        let keys = approved.logState.keyring.activeKeys(of: app).map(\.record.id)
        let publication = PublicationRecord(
            sequence: sequence,
            position: approved.position,
            manifestDigest: String(repeating: "5a", count: 32),
            keys: keys
        )
        let record = RecordPublication(app: app, event: .snapshotPublished(publication))
        _ = try await writer.perform(CommandRequest(record))
        return approved.position
    }

    private func operations(_ number: Int) throws -> [Operation] {
        let version = try known(AppleVersion("\(number).0.0"), "a version")
        let texts = try Crew.languages.flatMap { language in
            let tag = try known(LanguageTag(language), "a language")
            return try TextPart.allCases.map { part in
                let text = try Text(
                    validating: "Version \(number).0.0 of Harbour is here (\(language)). Please "
                        + "install it, so that the log book stays whole on this device too."
                )
                return Operation(.ios, .recommendedApp, .setText(part, tag, text))
            }
        }
        return [Operation(.ios, .recommendedApp, .setValue(.dotted(version)))] + texts
    }

    private func approval(of proposed: Receipt) throws -> ApproveChange {
        guard case .change(let id)? = proposed.events.first?.stream,
            let change = proposed.logState.openChange(id), let app = proposed.logState.app(app)
        else { throw Failure(sentence: "a proposal makes no change") }
        return ApproveChange(
            change: id,
            seen: ChangeDigest(of: change.content(against: app)),
            comment: nil,
            by: crew.approver,
            hash: { ChangeDigest(of: $0) }
        )
    }
}
