import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

extension RollbackAnswer {
    func report(_ people: People, of target: RollbackTarget, dryRun: Bool) -> Report {
        Report(json, blocks(people, of: target), dryRun: dryRun)
    }

    /// The effect, and whatever else a responder wants to know before they agree.
    func blocks(_ people: People, of target: RollbackTarget) -> [Report.Block] {
        let names = platforms.map(\.name).joined(separator: " and ")
        var heading = "\(app) on \(names), \(words(for: target))"
        if let position, let sequence {
            heading += ": done as event \(position), ordered as sequence \(sequence)"
        }
        return [.line(heading)] + platformsKept.map { .line(line(keeping: $0)) } + changes.blocks
            + outlook.lines(people, isDryRun: position == nil).map(Report.Block.line)
            + outlook.blocked.blocks + outlook.checks.blocks + outlook.notes.blocks
    }

    private func words(for target: RollbackTarget) -> String {
        if case .revert(let id) = target { return "change \(id) taken back" }
        return "back to event \(self.target)"
    }

    private func line(keeping platform: Platform) -> String {
        "\(platform.name) is left as it is: nothing stood there at event \(target)"
    }
}

extension RollbackOutlook {
    fileprivate func lines(_ people: People, isDryRun: Bool) -> [String] {
        [""] + (origin.map { [$0.line(people)] } ?? [])
            + (sideEffects?.lines(isDryRun: isDryRun) ?? [])
            + textsMissing.map(line(without:))
            + devices.flatMap(\.lines) + [reachLine, policyLine(people)]
    }

    private func line(without text: Field) -> String {
        "no text    \(text.name): people who read it see none"
    }

    private var reachLine: String {
        "reach      caches keep the old document for up to \(reach.cacheSeconds) s;"
            + " phones look every \(reach.pollSeconds / 60) min"
    }

    private func policyLine(_ people: People) -> String {
        let alone = "policy     a responder alone"
        guard let review else { return "\(alone); no review is asked for" }
        return "\(alone); review by somebody else in the role \(review.role.rawValue) until"
            + " \(review.due); \(people.name(review.owner)) sees to it"
    }
}

extension RollbackOrigin {
    fileprivate func line(_ people: People) -> String {
        guard let write else { return "target     of \(at); nothing stood there" }
        let change = write.origin.change.map { "change \($0)" } ?? "a rollback"
        let approvers = write.origin.approvers.map(people.name).joined(separator: " and ")
        return "target     of \(at); last written by event \(write.event),"
            + " \(change) by \(people.name(write.origin.author)),"
            + " approved by \(approvers.isEmpty ? "nobody" : approvers)"
            + (write.origin.incident.map { " (emergency \(excerpt($0, 40)))" } ?? "")
    }
}

extension RollbackOutlook.SideEffects {
    fileprivate func lines(isDryRun: Bool) -> [String] {
        let count = "--undoing \(undoneOfOthers.count) with --yes"
        return [
            line("suspends  ", suspended, "until scheduled again"),
            line("undoes    ", undone, nil),
            line("of others ", undoneOfOthers, isDryRun ? count : nil),
            line("calls off ", endsCalledOff, "the end it had"),
            line("ends again", endsResumed, "at the time it was approved until"),
            line("stale     ", stale, "based on what is live no more"),
            line("overtakes ", overtaken, "waiting for a time, and in conflict now"),
            line("kept under", keptUntilEnd, "until its end, which brings back what was before it"),
        ].compactMap(\.self)
    }

    private func line(_ verb: String, _ changes: [ChangeID], _ remark: String?) -> String? {
        guard !changes.isEmpty else { return nil }
        let numbers = changes.map(\.description).joined(separator: ", ")
        let noun = changes.count == 1 ? "change" : "changes"
        return "\(verb) \(noun) \(numbers)" + (remark.map { " (\($0))" } ?? "")
    }
}

extension DeviceOutlook {
    /// What the shipped apps show, and what clients of Prince of Versions are told where that moves
    /// and says something else.
    fileprivate var lines: [String] {
        let device = typical.device
        let what =
            "device     \(device.platform.name) \(device.os), app \(device.app)"
            + " (\(typical.kind.words)): "
        let shown = device.platform.thresholds.isEmpty ? [] : [what + shownWords]
        let (old, new) = (before.offered, after.offered)
        let isTold = OfferVerdict.saySoToo(
            (old.verdict, new.verdict),
            where: (before.shown.verdict, after.shown.verdict)
        )
        return old.words == new.words || isTold && !shown.isEmpty
            ? shown : shown + [what + "offers \(old.words) → \(new.words)"]
    }

    private var shownWords: String {
        let (before, after) = (before.shown, after.shown)
        guard before.verdict == after.verdict else {
            return "\(before.verdict.words) → \(after.verdict.words)"
        }
        let isSame = before.title == after.title && before.description == after.description
        return after.verdict.words + (isSame ? ", as before" : ", with another text")
    }
}

extension OfferOutcome {
    /// `require 3.2.0`, as a predicate of the offers.
    fileprivate var words: String {
        switch verdict {
        case .updateRequired: "require \(version?.description ?? "an update")"
        case .updateOffered: "lead to \(version?.description ?? "an update")"
        case .noUpdate: "tell of no update"
        }
    }
}

extension TypicalDevice.Kind {
    fileprivate var words: String {
        switch self {
        case .current: "newest"
        case .belowMinimum: "below the minimum"
        case .oldestSystem: "oldest system"
        }
    }
}

extension DeviceVerdict {
    fileprivate var words: String {
        switch self {
        case .available: "runs"
        case .osRecommended: "runs, recommends a newer system"
        case .appRecommended: "runs, recommends an update"
        case .appTooOldUpdateAvailable: "does not run, offers the update"
        case .appTooOld: "does not run, knows no update"
        case .osTooOld: "does not run on this system"
        }
    }
}
