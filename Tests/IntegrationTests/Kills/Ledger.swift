import PlimsollJSON
import Synchronization
import Testing

/// What clients were told of the changes they sent, to be held against the record afterwards.
final class Ledger: Sendable {
    /// A change as its author knows it; the title names it once and for all.
    struct Entry: Sendable {
        let title: String
        var id: String?
        var isApplied = false
        var isRefused = false
    }

    private let entries = Mutex<[String: Entry]>([:])

    var all: [Entry] { entries.withLock { Array($0.values) } }
    var applied: [Entry] { all.filter(\.isApplied) }

    func note(_ title: String, _ edit: (inout Entry) -> Void) {
        entries.withLock { edit(&$0[title, default: Entry(title: title)]) }
    }

    /// Fails the test unless the record has each acknowledged change once, and no refused one.
    func expectKept(in events: [JSONValue]) {
        var proposed: [String: [String]] = [:]
        var applied: [String: Int] = [:]
        for event in events {
            let stream = event["stream"]?.string ?? ""
            switch event["type"]?.string {
            case "ChangeProposed":
                let title = event["data"]?["title"]?.string ?? ""
                proposed[title, default: []].append(String(stream.dropFirst("change/".count)))
            case "ChangeApplied": applied[stream, default: 0] += 1
            default: continue
            }
        }
        for entry in all {
            let ids = proposed[entry.title] ?? []
            if entry.isRefused {
                #expect(ids == [], "\(entry.title) was refused and is there")
            } else if let id = entry.id {
                #expect(ids == [id], "\(entry.title) was acknowledged as \(id)")
            } else {
                #expect(ids.count <= 1, "\(entry.title) is there more than once")
            }
            guard let id = entry.id else { continue }
            let times = applied["change/\(id)"] ?? 0
            #expect(entry.isApplied ? times == 1 : times <= 1, "\(entry.title): applied \(times)×")
        }
    }
}
