import Foundation
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// One event, with everything about it.
enum EventScreen {
    static func page(_ visit: Visit, _ text: String) async throws -> Page {
        guard let position = Position(typed: text) else {
            throw visit.refusal(of: "event", text)
        }
        let event = try await visit.event(at: position)
        let names = try await visit.names()
        var filter = EventFilter()
        filter.correlations = [event.origin.correlation]
        if let app = event.app { filter.apps = [app] }
        let act = try await visit.allEvents(filter)
        var page = Page("event", "\(visit.language["record.event"]) \(position)")
        page.fields["event"] =
            visit.row(of: event, names).merging(ImmediateActs(act).marks(of: event)) { $1 }
        page.fields.merge(visit.contents(of: event, names)) { $1 }
        page.fields.merge(visit.surroundings(of: event, act, names)) { $1 }
        return page
    }
}

extension Visit {
    /// An event of the record; those of their apps for who may read no other.
    func event(at position: Position) async throws -> EventAnswer {
        do throws(AdminError) {
            return try await rest.call(Endpoints.getEvent, position)
        } catch {
            guard error.status == 403 else { throw error }
            var filter = EventFilter()
            filter.apps = auditable(try await rest.call(Endpoints.listApps).apps)
            (filter.since, filter.until) = (.position(position), .position(position))
            guard let event = try await rest.events(filter).events.first else { throw error }
            return event
        }
    }

    fileprivate func contents(of event: EventAnswer, _ names: Names) -> Fields {
        let origin = event.origin
        return Fields(all: [
            "fromName": language["record.before"], "toName": language["record.after"],
            "effect": event.fields.map { $0.fields(self, [:], names) },
            "hasEffect": !event.fields.isEmpty,
            "differences": event.differences.map {
                wording(names).fields(of: $0, isOfPolicy: event.isOfPolicy)
            },
            "hasDifferences": !event.differences.isEmpty,
            "facts": [
                ("id", event.id.uuidString.lowercased()), ("actor", origin.actor.text),
                ("stream", event.stream.text), ("revision", event.revision.rawValue.description),
                ("command", event.command.description),
                ("correlation", origin.correlation.uuidString.lowercased()),
                ("causation", origin.causation?.uuidString.lowercased()),
                ("token", origin.token?.description), ("request", origin.request),
            ].compactMap { name, value in
                value.map { ["name": language["record.fact.\(name)"], "value": $0] }
            },
            "data": pretty(event.body.data),
        ])
    }

    /// What was done along with it, and where to look at what it did.
    fileprivate func surroundings(
        of event: EventAnswer,
        _ act: [EventAnswer],
        _ names: Names
    ) -> Fields {
        let own = act.filter { $0.command == event.command }
        let before = (own.map(\.position).min() ?? event.position).before
        let after = own.map(\.position).max() ?? event.position
        let states = FormFields([("from", "event:\(before)"), ("to", "event:\(after)")]).encoded
        let platforms = Set(own.flatMap(\.fields).map(\.field.platform)).sorted()
        let isDocuments = !act.allSatisfy(\.fields.isEmpty)
        return Fields(all: [
            "appNav": event.app.map { navigation(of: $0) },
            "hasOthers": act.count > 1, "isLong": act.count > Self.othersMaximum,
            "othersCount": language("record.events", count: act.count - 1),
            "others": act.filter { $0.position != event.position }.map { row(of: $0, names) },
            "comparison": event.app.flatMap { app in
                isDocuments ? "/apps/\(app)/compare?\(states)" : nil
            },
            "preview": event.app.flatMap { app in
                isDocuments ? "/apps/\(app)/preview?\(states)" : nil
            },
            "proposals": event.app.map { proposals(from: event, in: $0) },
            "documents": event.app.map { app in
                platforms.map {
                    [
                        "name": $0.name,
                        "address": "/apps/\(app)/documents/\($0.rawValue)?event=\(after)",
                    ]
                }
            },
            "earlier": event.position > Position(1) ? event.position.before.description : nil,
            "later": event.position < position ? event.position.advanced(by: 1).description : nil,
        ])
    }

    /// Proposals of what it wrote, and of what stood there before.
    private func proposals(from event: EventAnswer, in app: AppSlug) -> [Fields] {
        let scope = Scope.app(app)
        guard offers.has(.proposer, in: scope) || offers.has(.responder, in: scope),
            event.fields.contains(where: { $0.field.part != nil })
        else { return [] }
        return ["event", "before"].map { kind in
            let from = FormFields([("from", "\(kind):\(event.position)")]).encoded
            return [
                "name": language["record.propose.\(kind)"],
                "address": "/apps/\(app)/propose?\(from)",
            ]
        }
    }

    /// So many are shown at once; more are opened on demand.
    private static let othersMaximum = 12

    /// JSON with a line for each member.
    func pretty(_ object: JSONObject) -> String {
        let bytes = JSONValue.object(object).canonicalBytes()
        let options: JSONSerialization.WritingOptions = [
            .prettyPrinted, .sortedKeys, .withoutEscapingSlashes,
        ]
        guard let value = try? JSONSerialization.jsonObject(with: Data(bytes)),
            let data = try? JSONSerialization.data(withJSONObject: value, options: options)
        else { return String(decoding: bytes, as: UTF8.self) }
        return String(decoding: data, as: UTF8.self)
    }
}
