import Foundation
import PlimsollAPI
import PlimsollDomain

/// Looks whether the export directory shows what the log says was published.
struct ExportCheck {
    let folder: String

    func findings(_ apps: [AppAnswer]) -> [Finding] {
        let findings = apps.compactMap(finding)
        return findings.isEmpty ? [.good("export", "it is where the log says")] : findings
    }

    private func finding(_ app: AppAnswer) -> Finding? {
        guard let logged = app.sequence else { return nil }
        let link = "\(folder)/\(app.slug)"
        // Where no link is, nothing is published.
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: link)
        let shown = target.flatMap { $0.split(separator: "/").last }.flatMap { Int64($0) }
        guard let shown else {
            return .bad(
                "export",
                "\(link) leads nowhere, and the log published sequence \(logged)",
                "Put the export directory back from its backup."
            )
        }
        guard shown != logged.rawValue else { return nil }
        let isBehind = shown < logged.rawValue
        return .bad(
            "export",
            "\(link) is at sequence \(shown), \(isBehind ? "behind" : "ahead of") the log's \(logged)",
            isBehind
                ? "Look again in a second; then at the service's log for why it does not export."
                : "The log may be an old backup: see docs/operating/backup.md before anything else."
        )
    }
}
