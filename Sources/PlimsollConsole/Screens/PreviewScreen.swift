import PlimsollAPI
import PlimsollDomain

/// What a phone would show: in one state of an app, or in two beside each other.
enum PreviewScreen {
    static let routes: [Route] = [.page("/apps/:app/preview", page)]

    static func page(_ visit: Visit) async throws -> Page {
        let app = try await visit.rest.call(Endpoints.getApp, try visit.app)
        let choice = try await StateChoice(of: app.slug, visit)
        let platform =
            visit.query["platform"].flatMap(Platform.init(rawValue:))
            ?? app.settings.platforms.first ?? .ios
        var page = Page("preview", "\(visit.language["preview.title"]): \(app.settings.name.text)")
        page.fields["slug"] = app.slug.text
        do {
            let (from, to) = (try visit.state("from") ?? .live, try visit.state("to"))
            let preview = Preview(app: app, platform: platform, from: from, to: to)
            page.fields.merge(preview.form(visit, choice)) { $1 }
            page.fields.merge(try await preview.answers(visit)) { $1 }
        } catch let error as AdminError {
            try await visit.tell(error, on: &page)
            let preview = Preview(
                app: app,
                platform: platform,
                from: (try? visit.state("from")) ?? .live,
                to: try? visit.state("to")
            )
            page.fields.merge(preview.form(visit, choice)) { old, _ in old }
        }
        return page
    }
}

/// What is to be looked at.
private struct Preview {
    let app: AppAnswer
    let platform: Platform
    let from: StateName
    let to: StateName?

    private var states: [(name: String, value: String)] {
        [("from", from.text)] + (to.map { [("to", $0.text)] } ?? [])
    }

    /// What the page asks, with what was asked last time.
    func form(_ visit: Visit, _ choice: StateChoice) -> Fields {
        var fields = Fields(all: [
            "platform": platform.rawValue, "platformName": platform.name,
            "platforms": app.settings.platforms.map { other in
                let query = FormFields([("platform", other.rawValue)] + states)
                return Fields(all: [
                    "name": other.name, "isOpen": other == platform,
                    "address": "/apps/\(app.slug)/preview?\(query.encoded)",
                ])
            },
            "fromGroups": ["groups": choice.groups(chosen: from)],
            "toGroups": ["groups": choice.groups(chosen: to)], "isAlone": to == nil,
            "clients": clients.map { client in
                [
                    "value": client.name,
                    "versions": visit.wording(nil)(client.versions, as: .phrase),
                    "isChosen": client.name == visit.query["client"],
                ]
            },
        ])
        for name in ["os", "app", "store", "language"] {
            fields["\(name)Value"] = visit.query[name] ?? ""
        }
        return fields
    }

    private var clients: [ClientGeneration] {
        (app.settings.clients ?? ClientGeneration.all).filter { $0.platform == platform }
    }

    /// What the interface says of the device, of all known releases, and of all counted devices.
    func answers(_ visit: Visit) async throws -> Fields {
        let matrix = try await visit.rest.matrix(of: app.slug, on: platform, from: from, to: to)
        let blame = try await visit.rest.call(
            Endpoints.blameDocument,
            AppPlatform(app.slug, platform)
        )
        let devices = TypicalDevices(of: blame.lines, matrix.matrix)
        let device = try await device(visit, devices)
        let answer = try await visit.rest.call(Endpoints.simulate, app.slug, device + states)
        var fields = Fields(all: [
            "typical": devices.all.map { typical in
                let query = FormFields(query(typical.os, typical.app) + states)
                return [
                    "name": visit.language["preview.typical.\(typical.kind.rawValue)"],
                    "address": "/apps/\(app.slug)/preview?\(query.encoded)",
                    "device": "\(platform.name) \(typical.os), \(typical.app)",
                ]
            },
            "sides": sides(of: answer, visit),
            "comparison": to == nil ? nil : comparison(of: answer, visit),
            "refusers": answer.refusedBy.map {
                visit.fields(of: $0)
            },
            "client": answer.client, "offered": answer.store?.description,
            "matrix": MatrixFields(matrix.matrix, isCompared: to != nil) { os, app in
                "/apps/\(self.app.slug)/preview?\(FormFields(query(os, app) + states).encoded)"
            }.fields(visit),
        ])
        for (name, value) in device { fields["\(name)Value"] = value }
        fields.merge(try await blocked(visit)) { $1 }
        return fields
    }

    private func query(_ os: VersionValue, _ app: VersionValue) -> [(name: String, value: String)] {
        [("platform", platform.rawValue), ("os", os.description), ("app", app.description)]
    }

    /// The device that was described, or one that is worth a look.
    private func device(
        _ visit: Visit,
        _ devices: TypicalDevices
    ) async throws -> [(name: String, value: String)] {
        let usual = devices.mostTelling
        let language = visit.query["language"] ?? app.settings.fallbackLanguage.text
        let device = [
            (name: "platform", value: platform.rawValue),
            ("os", visit.query["os"] ?? usual.os.description),
            ("app", visit.query["app"] ?? usual.app.description),
            ("language", language.filter { !$0.isWhitespace }),
        ]
        return device
            + ["store", "client"].compactMap { name in visit.query[name].map { (name, $0) } }
    }

    /// What is different for the device: what it shows, the reason alone, or nothing.
    private func comparison(of answer: SimulationAnswer, _ visit: Visit) -> Fields {
        let (before, after) = (answer.before, answer.outcome)
        let isMoved = !before.shown.showsSame(as: after.shown) || !before.offersSame(as: after)
        let key = isMoved ? "isMoved" : before == after ? "isSame" : "isSameOtherwise"
        return ["isMoved": isMoved, "words": visit.language["preview.\(key)"]]
    }

    private func sides(of answer: SimulationAnswer, _ visit: Visit) -> [Fields] {
        let first = (answer.from, answer.before)
        let second = answer.to.map { ($0, answer.outcome) }
        return ([first] + [second].compactMap(\.self)).map { side, reading in
            var fields = visit.fields(of: reading, on: answer.platform)
            fields["state"] = visit.words(for: side.name)
            fields["position"] = side.position.description
            fields["appName"] = app.settings.name.text
            // Of the first nothing is different from itself.
            fields.merge(differences(of: reading, from: answer.before)) { $1 }
            return fields
        }
    }

    /// What is marked, since the first state has something else there.
    private func differences(of after: DeviceReading, from before: DeviceReading) -> Fields {
        let (new, old) = (after.shown, before.shown)
        return [
            "isVerdictMoved": new.verdict != old.verdict,
            "isTitleMoved": new.shownTitle != old.shownTitle,
            "isTextMoved": new.shownDescription != old.shownDescription,
            "isReasonMoved": new.because != old.because,
            "isOfferMoved": !before.offersSame(as: after)
                || after.offered.because != before.offered.because,
        ]
    }

    /// The same where nobody says when the app was registered: both states, if they are not alike.
    private func moved(_ visit: Visit) async throws -> Fields {
        guard let to else { return [:] }
        let diff = try await visit.rest.diff(of: app.slug, from: from, to: to, on: platform)
        guard let share = diff.blocked.first else { return [:] }
        let rows = [(from, share.before), (to, share.after)].map { state, count in
            ["state": visit.words(for: state), "bar": visit.bar(of: count, in: share.devices)]
        }
        return ["shares": ["rows": rows]]
    }

    /// How many of the counted devices each state blocks: what it blocks more than the state in
    /// which the app was registered, which blocks none.
    private func blocked(_ visit: Visit) async throws -> Fields {
        let place = AppPlatform(app.slug, platform)
        let shares = try await visit.rest.call(Endpoints.getVersionShares, place).shares
        guard shares.devices > 0 else { return ["hasNoShares": true] }
        var filter = EventFilter()
        (filter.apps, filter.types) = ([app.slug], ["AppRegistered"])
        guard let first = try await visit.readableEvents(filter, PageOptions()).first else {
            return try await moved(visit)
        }
        var rows: [Fields] = []
        for state in [from, to].compactMap(\.self) {
            let diff = try await visit.rest.diff(
                of: app.slug,
                from: .event(first.position),
                to: state,
                on: platform
            )
            let bar = visit.bar(of: diff.blocked.first?.after ?? 0, in: shares.devices)
            rows.append(["state": visit.words(for: state), "bar": bar])
        }
        return ["shares": ["rows": rows]]
    }
}

extension Visit {
    /// What a device is told, as a picture of its screen and in words.
    fileprivate func fields(of reading: DeviceReading, on platform: Platform) -> Fields {
        let (shown, offered) = (reading.shown, reading.offered)
        let verdict = shown.verdict
        return Fields(all: [
            "hasScreen": !platform.thresholds.isEmpty,
            "verdict": language["verdict.\(verdict.rawValue)"], "mark": verdict.mark,
            "isAvailable": verdict == .available, "isBlocking": !verdict.runs,
            "shownTitle": shown.shownTitle.map(fields),
            "shownText": shown.shownDescription.map(fields),
            "mayUpdate": verdict == .appTooOldUpdateAvailable || verdict == .appRecommended,
            "mayGoOn": verdict == .appRecommended || verdict == .osRecommended,
            "because": wording(nil)(shown.because, as: .reason),
            "keepsLast": shown.keepsLastDocument,
            "offer": language["offerVerdict.\(offered.verdict.rawValue)"],
            "offerVersion": offered.version?.description,
            "offerBecause": wording(nil)(offered.because, as: .reason),
            "isOffered": offered.verdict != .noUpdate,
        ])
    }

    private func fields(of text: ShownText) -> Fields {
        let choices = text.choices.sorted { $0.key < $1.key }
        return Fields(all: [
            "text": text.certain, "isUncertain": !choices.isEmpty,
            "choices": choices.map { ["language": $0.key.text, "text": $0.value] },
        ])
    }
}

extension DeviceOutcome {
    /// Whether the screen is the same, for whatever reason.
    fileprivate func showsSame(as other: DeviceOutcome) -> Bool {
        verdict == other.verdict && shownTitle == other.shownTitle
            && shownDescription == other.shownDescription
            && keepsLastDocument == other.keepsLastDocument
    }
}

extension DeviceReading {
    fileprivate func offersSame(as other: DeviceReading) -> Bool {
        offered.verdict == other.offered.verdict && offered.version == other.offered.version
    }
}

extension DeviceVerdict {
    /// How it is coloured, beside its words.
    var mark: String {
        switch self {
        case .available: "good"
        case .osRecommended, .appRecommended: "warn"
        case .appTooOldUpdateAvailable, .appTooOld, .osTooOld: "bad"
        }
    }
}
