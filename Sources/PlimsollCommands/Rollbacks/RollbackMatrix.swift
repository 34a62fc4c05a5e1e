import Foundation
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// What a rollback that was rehearsed would move of all devices that are known of, platform by
/// platform.
struct RollbackMatrix {
    private let answers: [MatrixAnswer]
    /// What alone would go back; `nil` where all of the platforms would.
    private let fields: [Field]?

    /// Asks for what is live and for the releases; what would stand afterwards, the rehearsal says.
    init(
        _ rehearsal: RollbackAnswer,
        isNarrow: Bool,
        _ app: AppAnswer,
        _ client: AdminClient
    ) async throws {
        let releases = try await client.releases(of: app.slug).releases
        let now = Instant(Date.now)
        let live = try await client.princeOfVersions(of: app.slug)
        var answers: [MatrixAnswer] = []
        for platform in rehearsal.platforms {
            var before = Document(platform: platform)
            if !platform.thresholds.isEmpty {
                before = try await client.document(of: app.slug, on: platform).parsed()
            }
            before.offers = live.offers[platform] ?? []
            var after = before
            for change in rehearsal.changes where change.field.platform == platform {
                after[change.field] = change.after
            }
            let matrix = DeviceMatrix(
                from: before,
                to: after,
                releases: releases,
                at: now,
                app.settings
            )
            answers.append(
                MatrixAnswer(
                    app: app.slug,
                    from: DiffAnswer.Side(name: .live, position: live.position),
                    to: DiffAnswer.Side(
                        name: .rollback(.event(rehearsal.target)),
                        position: rehearsal.target
                    ),
                    matrix: matrix
                )
            )
        }
        self.answers = answers
        fields = isNarrow ? rehearsal.changes.map(\.field) : nil
    }

    /// The report of the rehearsal with the matrix of each platform behind it.
    func report(behind report: Report) -> Report {
        var json = report.json
        json["matrix"] = .array(answers.map { .object(described($0)) })
        let blocks = answers.flatMap { answer -> [Report.Block] in
            [.line(""), .line("On \(answer.matrix.platform.name):")] + answer.report.blocks
        }
        return Report(json, report.blocks + blocks)
    }

    /// What only some fields lead to is no state that has a name: the fields are named.
    private func described(_ answer: MatrixAnswer) -> JSONObject {
        guard let fields else { return answer.json }
        var json = answer.json
        json["to"] = .null
        json["fields"] = .array(
            fields.filter { $0.platform == answer.matrix.platform }.map { .string($0.path) }
        )
        return json
    }
}
