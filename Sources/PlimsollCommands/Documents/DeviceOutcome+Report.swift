import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

extension DeviceOutcome {
    /// What a device shows, and why.
    var report: Report { Report(json, [.line(sentence)] + words) }

    fileprivate var sentence: String { "\(verdict.sentence), because \(because)." }

    fileprivate var words: [Report.Block] {
        [shownTitle.map { ("title", $0) }, shownDescription.map { ("text", $0) }]
            .compactMap(\.self).flatMap { name, text in text.lines(of: name).blocks }
    }
}

extension ShownText {
    /// The text, or all that it may be: such phones take any of them.
    fileprivate func lines(of name: String) -> [String] {
        switch self {
        case .one(let text): return ["\(name): \(text.isEmpty ? "(empty)" : text.legibleLines)"]
        case .oneOf(let texts):
            let choices = texts.sorted { $0.key < $1.key }
            return ["\(name): one of these, and nobody can say which:"]
                + choices.map { "  \($0.key): \($0.value.legibleLines)" }
        }
    }
}

extension Report {
    /// With whose app it is that shows it.
    func shown(by client: String?) -> Report {
        guard let client else { return self }
        var json = json
        json["client"] = .string(client)
        return Report(json, blocks + [.line("So \(client) shows it; --client asks another.")])
    }
}

extension SimulationAnswer {
    /// What the device is told in the state that was asked for, and before it where two were.
    var report: Report {
        guard let to else {
            return Report(json, outcome.blocks(on: platform) + refusals.blocks)
                .shown(by: client)
        }
        let sides = [(from, before), (to, outcome)]
        let shown = sides.map { "\($0.name.text): \($1.shown.sentence)" }
        let offered = sides.map { "\($0.name.text): \($1.offered.sentence)" }
        let words = platform.thresholds.isEmpty ? [] : shown.blocks + outcome.shown.words
        let remark = before == outcome ? ["Nothing moves for this device."] : []
        return Report(json, words + offered.blocks + remark.blocks + refusals.blocks)
            .shown(by: client)
    }

    /// Apps that go on with an older document.
    private var refusals: [String] {
        refusedBy.map { legible($0.sentence) }
    }
}

extension SimulationAnswer.Refuser {
    var sentence: String {
        "Refused by \(client) (\(versions)), which keeps its last document: \(because)."
    }
}

extension DeviceReading {
    /// Where there are no thresholds, nothing is said of them.
    fileprivate func blocks(on platform: Platform) -> [Report.Block] {
        let shown = platform.thresholds.isEmpty ? [] : shown.report.blocks
        return shown + [.line(offered.sentence)]
    }
}

extension OfferOutcome {
    fileprivate var sentence: String {
        "\(verdict.sentence)\(version.map { " to \($0)" } ?? ""), because \(because)."
    }
}

extension OfferVerdict {
    private static let clients = "Clients of Prince of Versions"

    fileprivate var sentence: String {
        switch self {
        case .updateRequired: "\(Self.clients) demand an update"
        case .updateOffered: "\(Self.clients) offer an update"
        case .noUpdate: "\(Self.clients) tell of no update"
        }
    }
}

extension [String] {
    fileprivate var blocks: [Report.Block] { map(Report.Block.line) }
}

extension String {
    /// Several lines made harmless, each by itself.
    fileprivate var legibleLines: String {
        split(separator: "\n", omittingEmptySubsequences: false).map(legible)
            .joined(separator: "\n      ")
    }
}

extension DeviceVerdict {
    var sentence: String {
        switch self {
        case .available: "The app runs"
        case .osRecommended: "The app runs and recommends a newer system"
        case .appRecommended: "The app runs and recommends an update"
        case .appTooOldUpdateAvailable: "The app does not run and offers the update"
        case .appTooOld: "The app does not run, and no update for it is known"
        case .osTooOld: "The app does not run on this system"
        }
    }
}
