import PlimsollDomain
import PlimsollServer

/// Looks whether the transparency log is published as far as the record goes.
struct PublishedLogFinding {
    /// The absolute path of the data folder.
    let folder: String

    func finding(end: Position, again: () async throws -> Position) async throws -> Finding {
        let found = await PublishedLogCheck(data: folder).run()
        return try await Self.finding(found, end: end, again: again)
    }

    /// The record goes on while the log is looked at: before a log is ahead of it, its end is asked
    /// for again.
    static func finding(
        _ found: PublishedLogCheck.Finding,
        end: Position,
        again: () async throws -> Position
    ) async throws -> Finding {
        guard case .whole(let size) = found, size > end else { return finding(found, end: end) }
        return finding(found, end: try await again())
    }

    static func finding(_ found: PublishedLogCheck.Finding, end: Position) -> Finding {
        switch found {
        case .none where end == .start:
            return .good("log", "nothing has happened yet")
        case .none:
            return .bad("log", "no checkpoint is published, and there are \(end) events", remedy)
        case .damaged(let sentence):
            return .bad(
                "log",
                legible(sentence),
                "Put export/log back from its backup; the service's log says what it could not"
                    + " publish."
            )
        case .whole(let size) where size < end:
            return .bad(
                "log",
                "the published checkpoint covers \(size) events, and there are \(end)",
                remedy
            )
        case .whole(let size) where size > end:
            return .bad(
                "log",
                "the published checkpoint covers \(size) events, and there are only \(end)",
                "The log may be an old backup: see docs/operating/backup.md before anything else."
            )
        case .whole(let size):
            return .good("log", "the published checkpoint covers all \(size) events")
        }
    }

    private static let remedy =
        "Look again in a second; then at the service's log for why it does not publish."
}
