import PlimsollDomain
import PlimsollServer

/// Looks whether the transparency log is published as far as the record goes.
struct PublishedLogFinding {
    /// The absolute path of the data folder.
    let folder: String

    func finding(end: Position) async -> Finding {
        Self.finding(await PublishedLogCheck(data: folder).run(), end: end)
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
