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

    /// What the address asks for.
    fileprivate struct Filters {
        var tab = Tab.needsMe
        var apps: [AppSlug] = []
        var states: [ChangeState] = []
        var authors: [PrincipalID] = []
        var platforms: [Platform] = []
        var moment = DocumentMoment.live

        /// The states that are asked for; what was approved at an earlier moment is called proposed.
        var statesAsked: [ChangeState] {
            guard states.isEmpty else { return states }
            return moment == .live || tab == .scheduled
                ? tab.states : tab.states.filter { $0 != .approved && $0 != .scheduled }
        }

        /// Whether any of them was chosen beside the tab and the app.
        var areNarrow: Bool {
            !states.isEmpty || !platforms.isEmpty || moment != .live
                || !authors.isEmpty && tab != .mine
        }
    }

    static func page(_ visit: Visit) async throws -> Page {
        let apps = try await visit.rest.call(Endpoints.listApps).apps
        let names = try await visit.names()
        var filters = Filters()
        var page = Page("changes", visit.language["changes.title"])
        do {
            try visit.read(&filters)
            page.fields = try await visit.changes(filters, apps, names)
        } catch let error as AdminError {
            try await visit.tell(error, on: &page)
        }
        page.fields.merge(visit.form(of: filters, apps, names)) { $1 }
        return page
    }
}

extension Visit {
    /// Reads what is understood up to the first that is not.
    fileprivate func read(_ filters: inout ChangesScreen.Filters) throws {
        filters.tab = try asked("tab", ChangesScreen.Tab.init(rawValue:)) ?? .needsMe
        let tab = filters.tab
        filters.apps = try askedAll("app", AppSlug.init)
        filters.states = try askedAll("state", called: "table.state") { text in
            // A tab has no changes in states of other tabs.
            ChangeState(rawValue: text).flatMap { state in
                tab.states.isEmpty || tab.states.contains(state) ? state : nil
            }
        }
        filters.platforms = try askedAll("platform", Platform.init(rawValue:))
        filters.authors = try askedAll("author", called: "table.author") { text in
            PrincipalID(text).flatMap { tab == .mine && $0 != principal ? nil : $0 }
        }
        if tab == .mine { filters.authors = [principal] }
        filters.moment = try moment
        if let cursor = query["cursor"], filters.apps.count != 1 {
            throw refusal(of: "cursor", cursor)
        }
    }

    /// The changes of an app, or of several, as a tab and the filters want them.
    fileprivate func changes(
        _ filters: ChangesScreen.Filters,
        _ apps: [AppAnswer],
        _ names: Names
    ) async throws -> Fields {
        var found: [ChangeSummary] = []
        var (next, isCut) = (nil as String?, false)
        let isOne = filters.apps.count == 1
        for slug in filters.apps.isEmpty ? apps.map(\.slug) : filters.apps {
            let list: ChangeList
            do throws(AdminError) {
                list = try await rest.changes(
                    of: slug,
                    in: filters.statesAsked,
                    by: filters.authors,
                    on: filters.platforms,
                    at: filters.moment,
                    needingMe: filters.tab == .needsMe,
                    PageOptions(after: isOne ? query["cursor"] : nil)
                )
            } catch {
                // It came later than what is looked at.
                guard filters.apps.isEmpty, error.problem?.errors.first?.code == "targetBeforeApp"
                else { throw error }
                continue
            }
            found += list.changes
            next = isOne ? list.next : nil
            isCut = isCut || !isOne && list.next != nil
        }
        found.sort { $0.proposedAt > $1.proposedAt }
        let kept = query.pairs.filter { $0.name != "cursor" && $0.name != "done" }
        return Fields(all: [
            "changes": found.map { change in
                let subject = apps.first { $0.slug == change.app }
                return row(of: change, names)
                    .merging(standstill(of: change, in: subject, names)) { $1 }
            },
            "isList": true, "isEmpty": found.isEmpty, "isCut": isCut,
            "empty": language[
                filters.areNarrow
                    ? "changes.emptyFiltered" : "changes.empty.\(filters.tab.rawValue)"
            ],
            "next": next.map { "/changes?\(FormFields(kept + [("cursor", $0)]).encoded)" },
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

/// The tabs, and the form of the filters.
extension Visit {
    fileprivate func form(
        of filters: ChangesScreen.Filters,
        _ apps: [AppAnswer],
        _ names: Names
    ) -> Fields {
        let tab = filters.tab
        let authors = names.all.map(\.id) + filters.authors.filter { names.lacks($0) }
        return [
            "tabs": ChangesScreen.Tab.allCases.map { link(to: $0, filters) },
            "apps": apps.map { choice($0.slug.text, $0.slug.text, filters.apps.contains($0.slug)) },
            "states": (tab.states.isEmpty ? ChangeState.allCases : tab.states).map {
                choice($0.rawValue, language["state.\($0.rawValue)"], filters.states.contains($0))
            },
            "authors": authors.map { choice($0.text, names($0), filters.authors.contains($0)) },
            "platforms": Platform.allCases.filter { platform in
                apps.contains { $0.settings.platforms.contains(platform) }
            }.map { choice($0.rawValue, $0.name, filters.platforms.contains($0)) },
            "tab": tab.rawValue, "hasMoment": tab != .needsMe && tab != .scheduled,
            "hasAuthors": tab != .mine,
            "moment": query["moment"] ?? "",
        ]
    }

    private func choice(_ value: String, _ name: String, _ isChosen: Bool) -> Fields {
        ["value": value, "name": name, "isChosen": isChosen]
    }

    /// The app and the platform stay what they are; a state may be none of the other tab.
    private func link(to tab: ChangesScreen.Tab, _ filters: ChangesScreen.Filters) -> Fields {
        let kept =
            filters.apps.map { (name: "app", value: $0.text) }
            + filters.platforms.map { (name: "platform", value: $0.rawValue) }
        let query = FormFields([(name: "tab", value: tab.rawValue)] + kept)
        return [
            "name": language["changes.tab.\(tab.rawValue)"],
            "address": "/changes?\(query.encoded)", "isOpen": tab == filters.tab,
        ]
    }
}

extension Visit {
    /// What keeps an approved change from being live, as far as the app says it; or what kept it from
    /// being applied at its time.
    func standstill(
        of change: ChangeSummary,
        in app: AppAnswer?,
        _ names: Names
    ) -> Fields {
        let waits = change.suspension == nil && change.state == .approved
        let freeze = waits ? app?.freeze.map { fields(of: $0, names) } : nil
        return Fields(all: [
            "suspendedBy": change.suspension.map { fields(of: $0) }, "heldBy": freeze,
            "isReady": waits && freeze == nil,
        ])
    }

    /// What kept a change from being applied at its time, and what to do now.
    func fields(of cause: SuspensionCause) -> Fields {
        [
            "detail": language["suspension.\(cause.rawValue).detail"],
            "remedy": language["suspension.\(cause.rawValue).remedy"],
        ]
    }

    func row(of change: ChangeSummary, _ names: Names) -> Fields {
        Fields(all: [
            "id": change.id.description, "app": change.app.text, "title": change.title.text,
            "author": names(change.author), "at": time(change.proposedAt),
            "state": change.state.rawValue, "stateName": language["state.\(change.state.rawValue)"],
            "isInConflict": change.isInConflict, "isUndone": change.undoing != nil,
            "schedule": change.schedule.map { fields(of: $0) },
        ])
    }
}
