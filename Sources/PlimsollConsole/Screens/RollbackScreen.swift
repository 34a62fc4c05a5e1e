import HTTPTypes
import Hummingbird
import PlimsollAPI
import PlimsollDomain

/// Going back to an earlier state: where to, what it does, and the button that does just that.
enum RollbackScreen {
    static let routes: [Route] = [
        .page("/apps/:app/rollback", page),
        .act("/apps/:app/rollback", on: page) { visit in
            let form = try visit.rollbackForm(
                to: try visit.shownTarget,
                reason: try visit.reason("reason")
            )
            let answer = try await visit.rest.call(
                Endpoints.rollBack,
                try visit.app,
                form,
                visit.write
            )
            return .moved(to: visit.receipt(of: answer))
        },
    ]

    static func page(_ visit: Visit) async throws -> Page {
        let app = try await visit.rest.call(Endpoints.getApp, try visit.app)
        let applied = try await visit.allChanges(of: app.slug, in: .applied)
            .sorted { $0.position > $1.position }
        var (target, platforms) = (nil as RollbackTarget?, nil as [Platform]?)
        var (refusal, arePlatformsRead) = (nil as Problem?, false)
        do {
            platforms = try visit.narrowedPlatforms(of: app)
            arePlatformsRead = true
            target = try visit.target(orBefore: applied)
        } catch let error as AdminError {
            refusal = error.problem
        }
        var page = Page(
            "rollback",
            visit.language("rollback.title", ["app": app.settings.name.text]),
            [
                "slug": app.slug.text, "reasonText": visit.form["reason"],
                "kind": target?.kind ?? visit.asked["to"],
                "value": target?.value ?? visit.asked["value"],
                "choices": RollbackTarget.kinds.map { kind in
                    Fields(all: [
                        "kind": kind, "name": visit.language["rollback.to.\(kind)"],
                        "isChosen": kind == target?.kind ?? visit.asked["to"],
                    ])
                },
                "platforms": app.settings.platforms.map { platform in
                    Fields(all: [
                        "platform": platform.rawValue, "name": platform.name,
                        "isChosen": platforms?.contains(platform) ?? arePlatformsRead,
                    ])
                },
                "narrowed": platforms?.map(\.rawValue), "mustChoose": !arePlatformsRead,
                "applied": applied.prefix(20).map { change in
                    Fields(all: [
                        "id": change.id.description, "title": change.title.text,
                        "at": visit.time(change.proposedAt),
                    ])
                },
            ]
        )
        if let refusal { await visit.tell(ofLook: refusal, on: &page) }
        if let target { try await visit.look(at: target, platforms, on: &page) }
        return page
    }
}

extension RollbackTarget {
    fileprivate static let kinds = ["beforeChange", "revert", "event", "time", "lastGood"]

    fileprivate var kind: String {
        switch self {
        case .beforeChange: "beforeChange"
        case .revert: "revert"
        case .event: "event"
        case .time: "time"
        case .lastGood: "lastGood"
        }
    }

    fileprivate var value: String {
        switch self {
        case .beforeChange(let id), .revert(let id): id.description
        case .event(let position): position.description
        case .time(let instant): instant.rfc3339
        case .lastGood(let seconds): "\(seconds / 3600)"
        }
    }

    /// Reads what a form says; hours for the last good state, and a time without an offset in UTC.
    fileprivate init?(kind: String, value: String) {
        switch kind {
        case "beforeChange", "revert":
            guard let id = ChangeID(typed: value) else { return nil }
            self = kind == "revert" ? .revert(id) : .beforeChange(id)
        case "event":
            guard let position = Position(typed: value) else { return nil }
            self = .event(position)
        case "time":
            guard let instant = Instant(rfc3339: value) ?? LocalTime(value)?.inUTC else {
                return nil
            }
            self = .time(instant)
        case "lastGood":
            guard let hours = Int64(value), (1...8760).contains(hours) else { return nil }
            self = .lastGood(seconds: hours * 3600)
        default: return nil
        }
    }
}

extension Visit {
    fileprivate var asked: FormFields { request.method == .post ? form : query }

    /// The target that was asked for, or the state before what was applied last and still stands; one
    /// that cannot be read is refused on the page.
    fileprivate func target(orBefore applied: [ChangeSummary]) throws -> RollbackTarget? {
        try chosenTarget ?? applied.first { $0.undoing == nil }.map { .beforeChange($0.id) }
    }

    /// The target that was asked for; `nil` where none was.
    fileprivate var chosenTarget: RollbackTarget? {
        get throws {
            guard let kind = asked["to"], let value = asked["value"] else { return nil }
            guard let target = RollbackTarget(kind: kind, value: value) else {
                throw refusal(of: "target", value, language["needed.target"])
            }
            return target
        }
    }

    fileprivate var shownTarget: RollbackTarget {
        get throws {
            guard let target = try chosenTarget else { throw refusal(of: "target", nil) }
            return target
        }
    }

    /// `nil` for the whole app, which nobody means who names a platform, however they write it.
    private var chosenPlatforms: [Platform]? {
        get throws {
            let named = asked.all("platform")
            let chosen = try named.filter { !$0.isEmpty }.map { text in
                guard let platform = Platform(rawValue: text) else {
                    throw refusal(of: "platform", text)
                }
                return platform
            }
            // A page that refused a platform says so where none is ticked on it.
            guard named.isEmpty || !chosen.isEmpty else { throw refusal(of: "platform", nil) }
            return chosen.isEmpty ? nil : chosen
        }
    }

    /// Whoever chooses all of an app's platforms means the whole app: what was added later stays.
    fileprivate func narrowedPlatforms(of app: AppAnswer) throws -> [Platform]? {
        try chosenPlatforms.flatMap { Set($0) == Set(app.settings.platforms) ? nil : $0 }
    }

    /// What is asked for, bound to what the page showed.
    fileprivate func rollbackForm(
        to target: RollbackTarget,
        reason: Reason
    ) throws -> RollbackForm {
        var platforms = try chosenPlatforms
        var seen = try optional("seen", Position.init(typed:))
        var undoing = try optional("undoing") { Int($0) }
        if case .revert = target { (platforms, seen, undoing) = (nil, nil, nil) }
        return RollbackForm(
            target: target,
            platforms: platforms,
            seen: seen,
            undoing: undoing,
            reason: reason
        )
    }

    /// Tries the rollback, and shows what would come of it or why it would be refused.
    fileprivate func look(
        at target: RollbackTarget,
        _ platforms: [Platform]?,
        on page: inout Page
    ) async throws {
        let shown = RollbackForm(
            target: target,
            platforms: { if case .revert = target { nil } else { platforms } }(),
            reason: try Reason(validating: language["rollback.trial"])
        )
        do {
            let answer = try await rest.call(
                Endpoints.rollBack,
                try app,
                shown,
                WriteOptions(.dryRun)
            )
            page.fields["outlook"] = fields(of: answer, target, try await names())
        } catch let error as AdminError {
            guard let refusal = error.problem, refusal.isRefusal else { throw error }
            await tell(ofLook: refusal, on: &page)
        }
    }

    /// Says why nothing is shown, unless the page says so already of the form that was sent; below the
    /// form only where something else was refused of that.
    fileprivate func tell(ofLook refusal: Problem, on page: inout Page) async {
        guard refusal.detail != problem?.detail || refusal.errors != problem?.errors else { return }
        page.fields[problem == nil ? "problem" : "refusal"] = await fields(of: refusal)
    }
}
