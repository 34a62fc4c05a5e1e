import PlimsollJSON
import Synchronization
import Testing

/// What clients were told of the changes they sent, to be held against the record afterwards.
final class Ledger: Sendable {
    /// A change as its author knows it; the title names it once and for all.
    struct Entry: Sendable {
        let title: String
        let language: String
        let base: Int64
        /// What its author was told when it was proposed.
        var proposal: Reply?
        var isApplied = false

        var id: String? { proposal?.json["id"]?.string }
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var refused: Set<String> = []
    }

    private let state = Mutex(State())

    var entries: [Entry] { state.withLock { Array($0.entries.values) } }
    var applied: [Entry] { entries.filter(\.isApplied) }

    /// Changes that were sent, and whose end was never told.
    func open(in language: String) -> [Entry] {
        entries.filter { $0.language == language && !$0.isApplied }
    }

    func note(_ entry: Entry) {
        state.withLock { $0.entries[entry.title] = entry }
    }

    func noteRefusal(of title: String) {
        state.withLock { _ = $0.refused.insert(title) }
    }

    /// Fails the test unless the record has each acknowledged change once, and no refused one.
    func expectKept(in events: [JSONValue]) {
        let (proposed, applied) = (proposals(in: events), applications(in: events))
        for entry in entries {
            let ids = proposed[entry.title] ?? []
            if let id = entry.id {
                #expect(ids == [id], "\(entry.title) was acknowledged as \(id)")
            } else {
                #expect(ids.count <= 1, "\(entry.title) is there more than once")
            }
            let times = ids.reduce(0) { $0 + (applied[$1] ?? 0) }
            #expect(
                entry.isApplied ? times == 1 : times <= 1,
                "\(entry.title): applied \(times)×"
            )
        }
        for title in state.withLock(\.refused) {
            #expect(proposed[title] == nil, "\(title) was refused and is there")
        }
    }

    /// The ids under which each title was proposed.
    private func proposals(in events: [JSONValue]) -> [String: [String]] {
        events.reduce(into: [:]) { proposals, event in
            guard event["type"]?.string == "ChangeProposed" else { return }
            let title = event["data"]?["title"]?.string ?? ""
            proposals[title, default: []].append(event.changeID)
        }
    }

    /// How often each change was applied.
    private func applications(in events: [JSONValue]) -> [String: Int] {
        events.reduce(into: [:]) { applications, event in
            guard event["type"]?.string == "ChangeApplied" else { return }
            applications[event.changeID, default: 0] += 1
        }
    }
}

extension JSONValue {
    /// The change in whose stream an event stands.
    fileprivate var changeID: String {
        String((self["stream"]?.string ?? "").dropFirst("change/".count))
    }
}
