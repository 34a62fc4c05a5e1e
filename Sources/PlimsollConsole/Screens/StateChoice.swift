import Foundation
import PlimsollAPI
import PlimsollDomain

/// The states of an app's documents that somebody may want to look at.
struct StateChoice {
    private let open: [ChangeSummary]
    private let applied: [ChangeSummary]
    private let acts: [EventAnswer]
    private let visit: Visit
    private let names: Names

    /// So many of a kind are offered; every other state can be named by its event.
    private static let countMaximum = 12

    /// The types of events that end an append to the documents.
    private static let actTypes = ["ChangeApplied", "EmergencyApplied", "RolledBack"]

    /// Asks for the changes and the acts of an app.
    init(of app: AppSlug, _ visit: Visit) async throws {
        self.visit = visit
        names = try await visit.names()
        let page = PageOptions(limit: Self.countMaximum)
        open = try await visit.rest.changes(
            of: app,
            in: ChangeState.allCases.filter(\.isOpen),
            page
        ).changes
        applied = try await visit.rest.changes(of: app, in: [.applied], page).changes
        var filter = EventFilter()
        (filter.apps, filter.types) = ([app], Self.actTypes)
        acts = try await visit.readableEvents(filter, page)
    }

    /// The choices of a form's field, the chosen one among them.
    func groups(chosen: StateName?) -> [Fields] {
        let sorted: [(String, [(StateName, String)])] = [
            ("live", [(.live, visit.words(for: .live))]),
            ("changes", open.map { (.change($0.id), "\($0.id): \($0.title.text)") }),
            ("rollbacks", rollbacks), ("events", acts.map(choice)),
        ]
        let offered = Set(sorted.flatMap(\.1).map(\.0))
        let other = chosen.flatMap { offered.contains($0) ? nil : $0 }
        let all = sorted + [("other", other.map { [($0, visit.words(for: $0))] } ?? [])]
        return all.filter { !$0.1.isEmpty }.map { kind, choices in
            [
                "label": visit.language["stateChoice.\(kind)"],
                "choices": choices.map { state, words in
                    ["value": state.text, "words": words, "isChosen": state == chosen]
                },
            ]
        }
    }

    private var rollbacks: [(StateName, String)] {
        let before = applied.filter { $0.undoing == nil }.map { change in
            (
                StateName.rollback(.beforeChange(change.id)),
                visit.language(
                    "stateChoice.beforeChange",
                    ["change": "\(change.id): \(change.title.text)"]
                )
            )
        }
        let good = [Int64(3600), 86_400].map { seconds in
            let target = RollbackTarget.lastGood(seconds: seconds)
            return (StateName.rollback(target), visit.words(for: target))
        }
        return before + good
    }

    private func choice(of act: EventAnswer) -> (StateName, String) {
        let time = ShownTime(act.recordedAt, at: visit.now, visit.language)
        return (
            .event(act.position),
            "\(act.position): \(act.sentence(visit.language, names)), \(time.relative)"
        )
    }
}

extension Visit {
    /// The events that are asked for; none for somebody who may not read the record.
    func readableEvents(_ filter: EventFilter, _ page: PageOptions) async throws -> [EventAnswer] {
        do {
            return try await rest.events(filter, page).events
        } catch {
            guard error.status == 403 else { throw error }
            return []
        }
    }

    /// The state that the address names, by an event's number before anything else.
    func state(_ name: String) throws -> StateName? {
        if let number = query["\(name)Event"] {
            guard let state = StateName("event:\(number)") else {
                throw refusal(of: "event", number)
            }
            return state
        }
        guard let text = query[name] else { return nil }
        guard let state = StateName(text) else { throw refusal(of: "state", text) }
        return state
    }

    /// A state in words: `Live`, `Change 7`.
    func words(for state: StateName) -> String {
        switch state {
        case .live: language["stateName.live"]
        case .event(let position): language("stateName.event", ["event": position])
        case .time(let instant): language("stateName.time", ["time": exact(instant)])
        case .change(let id): language("stateName.change", ["change": id])
        case .snapshot(let sequence): language("stateName.snapshot", ["sequence": sequence])
        case .rollback(let target): words(for: target)
        }
    }

    /// What a rollback would lead to, in words.
    fileprivate func words(for target: RollbackTarget) -> String {
        switch target {
        case .event(let position): language("stateName.rollback.event", ["event": position])
        case .time(let instant): language("stateName.rollback.time", ["time": exact(instant)])
        case .beforeChange(let id): language("stateName.rollback.beforeChange", ["change": id])
        case .revert(let id): language("stateName.rollback.revert", ["change": id])
        case .lastGood(let seconds):
            language("stateName.rollback.lastGood", ["span": span(of: Int(seconds))])
        }
    }

    private func span(of seconds: Int) -> String {
        let units = [("day", 86_400), ("hour", 3600), ("minute", 60)]
        let (unit, length) = units.first { seconds.isMultiple(of: $0.1) } ?? ("second", 1)
        return language("time.\(unit)", count: seconds / length)
    }

    private func exact(_ instant: Instant) -> String { ShownTime(instant, at: now, language).exact }
}
