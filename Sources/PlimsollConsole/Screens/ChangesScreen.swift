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
        var (app, state): (AppSlug?, ChangeState?)
        var page = Page("changes", visit.language["changes.title"])
        do {
            app = try visit.asked("app", AppSlug.init)
            state = try visit.asked("state", ChangeState.init(rawValue:))
            page.fields = try await visit.changes(tab, of: app, apps, state)
        } catch let error as AdminError {
            try await visit.tell(error, on: &page)
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
            "tab": tab.rawValue, "hasMoment": tab != .needsMe,
            "moment": visit.query["moment"] ?? "",
        ]) { $1 }
        return page
    }
}

extension Visit {
    /// The changes of an app, or of all of them, as a tab and the filters want them.
    fileprivate func changes(
        _ tab: ChangesScreen.Tab,
        of app: AppSlug?,
        _ apps: [AppAnswer],
        _ state: ChangeState?
    ) async throws -> Fields {
        let moment = try moment
        let names = try await names()
        var found: [ChangeSummaryAnswer] = []
        var (next, isCut) = (nil as String?, false)
        for slug in app.map({ [$0] }) ?? apps.map(\.slug) {
            let list: ChangeList
            do throws(AdminError) {
                list = try await rest.changes(
                    of: slug,
                    in: state.map { [$0] } ?? tab.states,
                    at: moment,
                    needingMe: tab == .needsMe,
                    PageOptions(after: app == nil ? nil : query["cursor"])
                )
            } catch {
                // It came later than what is looked at.
                guard app == nil, error.problem?.errors.first?.code == "targetBeforeApp" else {
                    throw error
                }
                continue
            }
            found += list.changes
            next = app == nil ? nil : list.next
            isCut = isCut || app == nil && list.next != nil
        }
        if tab == .mine { found.removeAll { $0.author != principal } }
        found.sort { $0.proposedAt > $1.proposedAt }
        let filters = query.pairs.filter { $0.name != "cursor" && $0.name != "done" }
        return Fields(present: [
            "changes": found.map { change in
                let subject = apps.first { $0.slug == change.app }
                return row(of: change, names)
                    .merging(standstill(of: change, in: subject, names)) { $1 }
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
            guard let time = LocalTime(endOf: text) else { throw refusal(of: "moment", text) }
            // Of a day that has begun and not ended, what there is of it.
            let begin = LocalTime(text + "T00:00")?.inUTC
            return .time(begin.map { $0 <= now } ?? false ? min(time.inUTC, now) : time.inUTC)
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
