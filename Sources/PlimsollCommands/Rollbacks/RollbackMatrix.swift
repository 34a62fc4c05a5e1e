import Foundation
import PlimsollAPI
import PlimsollAdmin
import PlimsollDomain
import PlimsollJSON

/// What a rollback that was rehearsed would move of all devices that are known of, platform by
/// platform.
struct RollbackMatrix {
    private let answers: [MatrixAnswer]

    /// Asks for what is live and for the releases; what would stand afterwards, the rehearsal says.
    init(_ rehearsal: RollbackAnswer, _ app: AppAnswer, _ client: AdminClient) async throws {
        let releases = try await client.releases(of: app.slug).releases
        let now = Instant(Date.now)
        var answers: [MatrixAnswer] = []
        for platform in rehearsal.platforms where !platform.thresholds.isEmpty {
            let live = try await client.document(of: app.slug, on: platform)
            let before = try live.parsed()
            var after = before
            for change in rehearsal.changes where change.field.platform == platform {
                after[change.field] = change.after
            }
            let matrix = DeviceMatrix(
                from: before,
                to: after,
                releases: releases,
                at: now,
                language: app.settings.fallbackLanguage
            )
            answers.append(
                MatrixAnswer(
                    app: app.slug,
                    from: DiffAnswer.Side(name: .live, position: live.position),
                    to: DiffAnswer.Side(
                        name: .event(rehearsal.target),
                        position: rehearsal.target
                    ),
                    matrix: matrix
                )
            )
        }
        self.answers = answers
    }

    /// The report of the rehearsal with the matrix of each platform behind it.
    func report(behind report: Report) -> Report {
        var json = report.json
        json["matrix"] = .array(answers.map { .object($0.json) })
        let blocks = answers.flatMap { answer -> [Report.Block] in
            [.line(""), .line("On \(answer.matrix.platform.name):")] + answer.report.blocks
        }
        return Report(json, report.blocks + blocks)
    }
}
