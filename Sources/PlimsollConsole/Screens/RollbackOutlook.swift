import PlimsollAPI
import PlimsollDomain

/// What a rollback would do, as its page tells it.
extension Visit {
    func fields(of answer: RollbackAnswer, _ target: RollbackTarget, _ names: Names) -> Fields {
        let outlook = answer.outlook
        var isRevert = false
        if case .revert = target { isRevert = true }
        return Fields(all: [
            "seen": isRevert ? nil : answer.target.description,
            "undoing": isRevert ? nil : outlook.sideEffects.map { $0.undoneOfOthers.count },
            "targetEvent": answer.target.description,
            "button": language(
                isRevert ? "rollback.revertButton" : "rollback.button",
                [
                    "platforms": answer.platforms.map(\.name).joined(separator: ", "),
                    "event": answer.target, "change": "",
                ]
            ),
            "sentences": answer.changes.map { $0.sentence(language) },
            "effect": answer.changes.map { $0.fields(self, [:], names) },
            "kept": answer.platformsKept.map(\.name),
            "origin": outlook.origin.map { fields(of: $0, names) },
            "sideEffects": outlook.sideEffects.map { lines(of: $0) },
            "textsMissing": outlook.textsMissing.map { $0.longName(language) },
            "devices": outlook.devices.map { fields(of: $0) },
            "cacheSeconds": outlook.reach.cacheSeconds,
            "pollMinutes": outlook.reach.pollSeconds / 60,
            "review": outlook.review.map { fields(of: $0, names) },
            "blocked": fields(of: outlook.blocked),
            "fromName": language["table.now"], "toName": language["table.after"],
            "checks": outlook.checks.map { wording(names)($0.sentence, as: .finding) },
            "notes": outlook.notes.map { wording(names)($0.detail, as: .note) },
        ])
    }

    private func fields(of origin: RollbackOrigin, _ names: Names) -> Fields {
        Fields(all: [
            "at": time(origin.at),
            "event": origin.write?.event.description,
            "change": origin.write?.origin.change?.description,
            "author": origin.write.map { names($0.origin.author) },
            "approvers": origin.write.flatMap { write in
                let approvers = write.origin.approvers.map(names.callAsFunction)
                return approvers.isEmpty ? nil : approvers.joined(separator: ", ")
            },
        ])
    }

    private func lines(of effects: RollbackOutlook.SideEffects) -> [Fields] {
        let all: [(String, [ChangeID])] = [
            ("suspended", effects.suspended), ("undone", effects.undone),
            ("undoneOfOthers", effects.undoneOfOthers), ("endsCalledOff", effects.endsCalledOff),
            ("endsResumed", effects.endsResumed), ("stale", effects.stale),
            ("overtaken", effects.overtaken), ("keptUntilEnd", effects.keptUntilEnd),
        ]
        return all.filter { !$0.1.isEmpty }.map { name, changes in
            ["what": language["rollback.side.\(name)"], "changes": changes.map(\.description)]
        }
    }

    private func fields(of outlook: DeviceOutlook) -> Fields {
        let device = outlook.typical.device
        return Fields(all: [
            "platform": device.platform.name, "os": device.os.description,
            "app": device.app.description,
            "kind": language["device.\(outlook.typical.kind.rawValue)"],
            "before": language["verdict.\(outlook.before.shown.verdict.rawValue)"],
            "after": language["verdict.\(outlook.after.shown.verdict.rawValue)"],
            "isSame": outlook.before.shown.verdict == outlook.after.shown.verdict,
        ])
    }
}
