import PlimsollAPI
import PlimsollDomain

/// The proposals of all apps, or of one: who has to do something, and with what.
enum ChangesScreen {
    static let routes: [Route] = [.page("/changes", page)]

    private enum Tab: String, CaseIterable {
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
        let names = try await visit.names()
        var found: [ChangeSummaryAnswer] = []
        var (next, isCut) = (nil as String?, false)
        for slug in app.map({ [$0] }) ?? apps.map(\.slug) {
            let list = try await visit.rest.changes(
                of: slug,
                in: tab.states,
                needingMe: tab == .needsMe,
                PageOptions(after: app == nil ? nil : visit.query["cursor"])
            )
            found += list.changes
            next = app == nil ? nil : list.next
            isCut = isCut || app == nil && list.next != nil
        }
        if tab == .mine { found.removeAll { $0.author != visit.principal } }
        found.sort { $0.proposedAt > $1.proposedAt }
        return Page(
            "changes",
            visit.language["changes.title"],
            [
                "changes": found.map { change in
                    let app = apps.first { $0.slug == change.app }
                    return visit.row(of: change, names)
                        .merging(visit.standstill(of: change, in: app, names)) { $1 }
                },
                "isEmpty": found.isEmpty,
                "empty": visit.language["changes.empty.\(tab.rawValue)"],
                "tabs": Tab.allCases.map { visit.fields(of: $0.rawValue, isOpen: $0 == tab, app) },
                "apps": apps.map { ["slug": $0.slug.text, "isChosen": $0.slug == app] },
                "tab": tab.rawValue, "app": app?.text, "next": next,
                "isCut": isCut,
            ]
        )
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
