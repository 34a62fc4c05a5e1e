import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

extension SettingsAnswer {
    func report(_ people: People, dryRun: Bool = false) -> Report {
        var json = json
        if dryRun { json["dryRun"] = true }
        let event = position.map { ", of event \($0)" } ?? ""
        var lines = ["\(app)\(event)", "made by \(people.name(by)), \(since)"]
        if let reason { lines.append("reason  \(excerpt(reason.text, 400))") }
        lines += [""] + settings.told.map { "\($0.subject): \($0.words.map(legible) ?? "unset")" }
        lines += refusedBy.map { legible($0.sentence) }
        return Report(json, lines.map(Report.Block.line))
    }

    /// The event that whoever changes them has to name.
    func seen() throws -> Position {
        guard let position else {
            throw Failure(
                .failed,
                "The service does not say which event the settings of \(app) are from.",
                next: "plimsoll apps settings \(app)"
            )
        }
        return position
    }
}
