import Foundation
import HTTPTypes
import PlimsollAPI
import PlimsollDomain

/// What happened: who did it, what it did, and why.
enum HistoryScreen {
    static let routes: [Route] = [.page("/history", page)]

    static func page(_ visit: Visit) async throws -> Page {
        if let text = visit.query["event"] { return try await EventScreen.page(visit, text) }
        let apps = try await visit.rest.call(Endpoints.listApps).apps
        var filter = RecordFilter(visit.query)
        if filter.all("app").isEmpty, apps.count == 1, filter.onlyField != nil {
            filter.narrow(to: apps.map(\.slug))
        }
        let names = try await visit.names()
        var page = Page("history", visit.language["history.title"])
        do {
            if let app = filter.app, let field = filter.onlyField {
                page.fields = try await visit.history(of: field, in: app, filter, names)
            } else {
                page.fields = try await visit.record(&filter, apps, names)
            }
        } catch let error as AdminError {
            guard let problem = error.problem, problem.isRefusal else { throw error }
            page.status = HTTPResponse.Status(code: problem.status)
            page.fields["problem"] = visit.wording(names).fields(of: problem)
            if problem.status == 403 { page.fields["readable"] = visit.readable(apps) }
        }
        page.fields.merge(visit.form(of: filter, apps, names)) { $1 }
        return page
    }
}

extension Visit {
    /// The events, those of one act together.
    fileprivate func record(
        _ filter: inout RecordFilter,
        _ apps: [AppAnswer],
        _ names: Names
    ) async throws -> Fields {
        let list = try await events(&filter, apps)
        let compared = filter.app ?? (apps.count == 1 ? apps[0].slug : nil)
        let groups = grouped(list.events) { $0.origin.correlation }
        let acts = try await immediateActs(around: list.events)
        let count = list.events.count
        let isAll = filter.cursor == nil && list.next == nil
        return Fields(all: [
            "isList": true, "isEmpty": groups.isEmpty,
            "groups": groups.map { group(of: $0, compared, acts, names) },
            "next": list.next.map { next in
                "/history?\(FormFields(filter.pairs + [("cursor", next)]).encoded)"
            },
            "feed": feed(of: filter),
            "compared": compared?.text,
            "exports": [
                "csv": export("csv", filter), "ndjson": export("ndjson", filter),
                "words": isAll
                    ? language("record.rows", count: count) : language["record.rowsMore"],
            ],
        ])
    }

    /// The events that are asked for; of the reader's apps, where they may not read all there are.
    private func events(
        _ filter: inout RecordFilter,
        _ apps: [AppAnswer]
    ) async throws -> EventList {
        let paging = filter.cursor.map { [(name: "cursor", value: $0)] } ?? []
        do {
            return try await rest.call(Endpoints.listEvents, filter.pairs + paging)
        } catch let refusal {
            let audited = auditable(apps)
            var own = filter
            own.narrow(to: audited)
            guard refusal.status == 403, filter.all("app").isEmpty, !audited.isEmpty,
                let list = try? await rest.call(Endpoints.listEvents, own.pairs + paging)
            else { throw refusal }
            filter = own
            return list
        }
    }

    /// Those of the apps whose record the reader may read, who may see others as well.
    func auditable(_ apps: [AppAnswer]) -> [AppSlug] {
        apps.map(\.slug).filter { offers.has(.auditor, in: .app($0)) }
    }

    /// What somebody can read who may not read the record.
    fileprivate func readable(_ apps: [AppAnswer]) -> Fields {
        [
            "documents": apps.flatMap { app in
                app.settings.platforms.map { platform in
                    [
                        "name": "\(app.settings.name.text), \(platform.name)",
                        "address": "/apps/\(app.slug)/documents/\(platform.rawValue)",
                    ]
                }
            }
        ]
    }

    private func feed(of filter: RecordFilter) -> String? {
        filter.feed.map { FormFields($0 + [("_after", position.description)]).encoded }
    }

    private func export(_ form: String, _ filter: RecordFilter) -> String {
        "/history/export.\(form)?\(FormFields(filter.pairs).encoded)"
    }

    private func group(
        of events: [EventAnswer],
        _ compared: AppSlug?,
        _ acts: ImmediateActs,
        _ names: Names
    ) -> Fields {
        let sorted = events.sorted { $0.position < $1.position }
        guard let first = sorted.first, let last = sorted.last else { return [:] }
        let head = sorted.last { $0.isAct } ?? first
        return Fields(all: [
            "head": row(of: head, names).merging(acts.marks(of: first)) { $1 },
            "why": sorted.lazy.compactMap(\.origin.reason).first, "last": last.position.description,
            "isCompared": compared != nil && head.app == compared,
            "count": events.count > 1
                ? language("record.events", count: events.count) : nil,
            "events": events.map { row(of: $0, names) }, "act": address(of: head),
        ])
    }

    /// Where all that was done in one act is listed, on however many pages.
    private func address(of event: EventAnswer) -> String {
        let correlation = event.origin.correlation.uuidString.lowercased()
        let app = event.app.map { [(name: "app", value: $0.text)] } ?? []
        return "/history?\(FormFields(app + [("correlation", correlation)]).encoded)"
    }

    /// An event in a line.
    func row(of event: EventAnswer, _ names: Names) -> Fields {
        Fields(all: [
            "position": event.position.description, "at": time(event.recordedAt),
            "by": names(event.origin.actor), "sentence": event.sentence(language, names),
            "why": event.origin.reason, "app": event.app?.text ?? "",
            "change": event.change?.description, "type": event.body.type,
            "isEmergency": event.body.type == "EmergencyApplied",
            "isRollback": event.body.type == "RolledBack",
        ])
    }

    /// Every value that a field had, newest first.
    fileprivate func history(
        of field: Field,
        in app: AppSlug,
        _ filter: RecordFilter,
        _ names: Names
    ) async throws -> Fields {
        let answer = try await rest.history(of: field, in: app, PageOptions(after: filter.cursor))
        return Fields(all: [
            "isField": true, "isEmpty": answer.writes.isEmpty,
            "fromName": language["record.before"], "toName": language["record.after"],
            "fieldName": "\(field.platform.name): \(field.name(language))", "path": field.path,
            "writes": answer.writes.map { write in
                var fields = origin(write.origin, names)
                fields["event"] = write.event.description
                fields["at"] = time(write.recordedAt)
                fields["effect"] = [write.change.fields(self, [:], names)]
                return fields
            },
            "feed": feed(of: filter),
            "next": answer.next.map { next in
                "/history?\(FormFields(filter.pairs + [("cursor", next)]).encoded)"
            },
        ])
    }

    /// The people behind what stands in a field, and how it came about.
    func origin(_ origin: FieldOrigin, _ names: Names) -> Fields {
        let approvers = origin.approvers.map(names.callAsFunction).joined(separator: ", ")
        return Fields(all: [
            "by": names(origin.author), "approvers": approvers.isEmpty ? nil : approvers,
            "change": origin.change?.description, "incident": origin.incident,
            "why": origin.reason, "isRollback": origin.kind == .rollback,
            "isEmergency": origin.kind == .emergency,
        ])
    }
}

extension EventAnswer {
    /// Whether it is what an append was made for, and tells of the rest.
    fileprivate var isAct: Bool {
        ["RolledBack", "EmergencyApplied", "ChangeApplied"].contains(body.type)
    }
}

/// The form of the filters.
extension Visit {
    fileprivate func form(
        of filter: RecordFilter,
        _ apps: [AppAnswer],
        _ names: Names
    ) -> Fields {
        let app = filter.app ?? (apps.count == 1 ? apps[0].slug : nil)
        let platforms = apps.filter { app == nil || $0.slug == app }.flatMap(\.settings.platforms)
        let people = [(id: PrincipalID.system, name: "plimsoll")] + names.all
        var fields = Fields(all: [
            "appNav": app.map { navigation(of: $0) },
            "apps": apps.map { choice($0.slug.text, $0.slug.text, filter.all("app")) },
            "types": EventBody.types.map { choice($0, $0, filter.all("type")) },
            "people": people.map { choice($0.id.text, $0.name, filter.all("actor")) },
            "platforms": Platform.allCases.filter(platforms.contains).map {
                choice($0.rawValue, $0.name, filter.all("platform"))
            },
            "fieldPaths": Platform.allCases.filter(platforms.contains).flatMap { platform in
                platform.thresholds.map { Field(platform, $0, .value).path }
            },
            "isOldestFirst": filter["order"] == "oldest",
            "chips": filter.pairs.enumerated().map { index, pair in
                [
                    "name": language["record.filter.\(pair.name)"],
                    "value": shown(pair, names), "address": filter.address(without: index),
                ]
            },
            "isCorrelated": filter["correlation"] != nil, "hasChips": !filter.pairs.isEmpty,
            "last": position.description,
            "documents": app.map { slug in
                [
                    "app": slug.text,
                    "platforms": apps.first { $0.slug == slug }?.settings.platforms.map {
                        ["value": $0.rawValue, "name": $0.name]
                    } ?? [],
                ] as Fields
            },
        ])
        for name in ["field", "change", "reason", "since", "until", "correlation"] {
            fields["\(name)Value"] = query[name] ?? ""
        }
        return fields
    }

    private func choice(_ value: String, _ words: String, _ chosen: [String]) -> Fields {
        ["value": value, "words": words, "isChosen": chosen.contains(value)]
    }

    private func shown(_ filter: (name: String, value: String), _ names: Names) -> String {
        switch filter.name {
        case "actor": PrincipalID(filter.value).map(names.callAsFunction) ?? filter.value
        case "field": wording(names)(filter.value)
        case _: filter.value
        }
    }
}
