import HTTPTypes
import PlimsollAPI
import PlimsollDomain

/// The proposals of all apps, or of one: who has to do something, and with what.
enum ChangesScreen {
    static let routes: [Route] = [.page("/changes", page)]

    fileprivate enum Tab: String, CaseIterable {
        case needsMe
        case mine
        case open
        case scheduled
        case all

        var states: [ChangeState] {
            switch self {
            case .needsMe, .all: []
            case .mine, .open: ChangeState.allCases.filter(\.isOpen)
            case .scheduled: [.approved, .scheduled, .suspended]
            }
        }
    }

    static func page(_ visit: Visit) async throws -> Page {
        let tab = visit.query["tab"].flatMap(Tab.init(rawValue:)) ?? .needsMe
        let apps = try await visit.rest.call(Endpoints.listApps).apps
        let app = visit.query["app"].flatMap(AppSlug.init)
        let state = visit.query["state"].flatMap(ChangeState.init(rawValue:))
        var page = Page("changes", visit.language["changes.title"])
        do {
            let places = app.map { [$0] } ?? apps.map(\.slug)
            page.fields = try await visit.changes(tab, in: places, apps, state)
        } catch let error as AdminError {
            guard let problem = error.problem, problem.status < 500 else { throw error }
            page.status = HTTPResponse.Status(code: problem.status)
            page.fields["problem"] = await visit.fields(of: problem)
        }
        page.fields.merge([
            "tabs": Tab.allCases.map { visit.fields(of: $0.rawValue, isOpen: $0 == tab, app) },
            "apps": apps.map { ["slug": $0.slug.text, "isChosen": $0.slug == app] },
            "states": (tab.states.isEmpty ? ChangeState.allCases : tab.states).map { choice in
                [
                    "value": choice.rawValue, "isChosen": choice == state,
                    "name": visit.language["state.\(choice.rawValue)"],
                ]
            },
            "tab": tab.rawValue, "moment": visit.query["moment"] ?? "",
        ]) { $1 }
        return page
    }
}

extension Visit {
    /// The changes of some apps, as a tab and the filters want them.
    fileprivate func changes(
        _ tab: ChangesScreen.Tab,
        in places: [AppSlug],
        _ apps: [AppAnswer],
        _ state: ChangeState?
    ) async throws -> Fields {
        let isOne = query["app"] != nil
        let moment = try moment
        let names = try await names()
        var found: [ChangeSummaryAnswer] = []
        var (next, isCut) = (nil as String?, false)
        for slug in places {
            let list = try await rest.changes(
                of: slug,
                in: state.map { [$0] } ?? tab.states,
                at: moment,
                needingMe: tab == .needsMe,
                PageOptions(after: isOne ? query["cursor"] : nil)
            )
            found += list.changes
            next = isOne ? list.next : nil
            isCut = isCut || !isOne && list.next != nil
        }
        if tab == .mine { found.removeAll { $0.author != principal } }
        found.sort { $0.proposedAt > $1.proposedAt }
        let filters = query.pairs.filter { $0.name != "cursor" && $0.name != "done" }
        return Fields(present: [
            "changes": found.map { change in
                let app = apps.first { $0.slug == change.app }
                return row(of: change, names)
                    .merging(standstill(of: change, in: app, names)) { $1 }
            },
            "isList": true, "isEmpty": found.isEmpty, "isCut": isCut,
            "empty": state == nil && moment == .live
                ? language["changes.empty.\(tab.rawValue)"] : language["changes.emptyFiltered"],
            "next": next.map { cursor in
                "/changes?\(FormFields(filters + [("cursor", cursor)]).encoded)"
            },
        ])
    }

    /// As of when they are asked for: an event, a day, or a time of day, in UTC.
    private var moment: DocumentMoment {
        get throws {
            guard let text = query["moment"] else { return .live }
            if let event = Position(typed: text) { return .event(event) }
            let ofDay = LocalTime(text + "T23:59:59.999")
            guard let time = ofDay ?? LocalTime(text) else { throw refusal(of: "moment", text) }
            return .time(time.inUTC)
        }
    }
}

extension Visit {
    fileprivate func fields(of tab: String, isOpen: Bool, _ app: AppSlug?) -> Fields {
        var query = FormFields([("tab", tab)])
        if let app { query = FormFields(query.pairs + [("app", app.text)]) }
        return Fields(present: [
            "name": language["changes.tab.\(tab)"], "address": "/changes?\(query.encoded)",
            "isOpen": isOpen,
        ])
    }

    /// What keeps an approved change from being live, as far as the app says it; or what kept it from
    /// being applied at its time.
    func standstill(
        of change: ChangeSummaryAnswer,
        in app: AppAnswer?,
        _ names: Names
    ) -> Fields {
        if let cause = change.suspension { return ["suspendedBy": fields(of: cause)] }
        guard change.state == .approved else { return [:] }
        let freeze = app?.freeze.map { fields(of: $0, names) }
        return Fields(present: ["heldBy": freeze, "isReady": freeze == nil])
    }

    /// What kept a change from being applied at its time, and what to do now.
    func fields(of cause: SuspensionCause) -> Fields {
        [
            "detail": language["suspension.\(cause.rawValue).detail"],
            "remedy": language["suspension.\(cause.rawValue).remedy"],
        ]
    }

    func row(of change: ChangeSummaryAnswer, _ names: Names) -> Fields {
        Fields(present: [
            "id": change.id.description, "app": change.app.text, "title": change.title.text,
            "author": names(change.author), "at": time(change.proposedAt),
            "state": change.state.rawValue, "stateName": language["state.\(change.state.rawValue)"],
            "isInConflict": change.isInConflict, "isUndone": change.undoing != nil,
            "schedule": change.schedule.map { fields(of: $0.schedule) },
        ])
    }
}
