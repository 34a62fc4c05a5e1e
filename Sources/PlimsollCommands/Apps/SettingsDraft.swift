import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// What new settings would change, before anybody agrees to it.
struct SettingsDraft {
    private let differences: [Difference]
    /// Whether published bytes are others for it.
    private let republishes: Bool

    init(from before: AppSettings, to after: AppSettings) {
        differences = before.differences(to: after)
        republishes = !SettingsEffect(from: before, to: after).isEmpty
    }

    var isEmpty: Bool { differences.isEmpty }

    var blocks: [Report.Block] {
        let publication = republishes ? ["Phones are served other bytes at once."] : []
        return (differences.map { legible($0.sentence) } + publication).map(Report.Block.line)
    }

    /// The report of a rehearsal with what would change before it.
    func report(before report: Report) -> Report {
        var json = report.json
        json["changes"] = JSONValue(differences)
        json["republishes"] = .bool(republishes)
        return Report(json, blocks + [.line("")] + report.blocks)
    }
}
