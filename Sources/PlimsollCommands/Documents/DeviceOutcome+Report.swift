import PlimsollAPI
import PlimsollDomain

extension DeviceOutcome {
    /// What a device shows, and why.
    var report: Report { Report(json, [.line(sentence)] + words) }

    fileprivate var sentence: String { "\(verdict.sentence), because \(because)." }

    fileprivate var words: [Report.Block] {
        [title.map { ("title", $0) }, description.map { ("text", $0) }].compactMap(\.self)
            .map { name, text in
                .line("\(name): \(text.isEmpty ? "(empty)" : text.legibleLines)")
            }
    }
}

extension SimulationAnswer {
    /// What the device shows in the state that was asked for, and before it where two were.
    var report: Report {
        guard let to else { return Report(json, outcome.report.blocks) }
        let remark = before == outcome ? "Nothing moves for this device." : nil
        return Report(
            json,
            [
                .line("\(from.name.text): \(before.sentence)"),
                .line("\(to.name.text): \(outcome.sentence)"),
            ] + outcome.words + (remark.map { [.line($0)] } ?? [])
        )
    }
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
