import Foundation
import PlimsollDomain
import PlimsollJSON
import PlimsollTestSupport
import Testing

/// Whatever is made of an event is made of its one declaration.
@Suite struct EventDeclarationTests {
    @Test(arguments: EventType.allCases)
    func `an event is told and read as its type declares`(type: EventType) throws {
        let (stream, event) = try EventSamples.sample(type)
        let data = event.told.data(.stored)
        #expect(type.declaration.type == type)
        #expect(event.told.type == type)
        #expect(try type.declaration.event(data) == event)
        #expect(Set(data.keys).isSubset(of: type.declaration.keys))
        #expect(event.belongs(in: stream))
    }

    // What could be tried out against a secret, and what is told of a key elsewhere; a rollback calls
    // its request otherwise.
    private static let redacted: [EventType: Set<String>] = [
        .tokenIssued: ["secretDigest"], .tokenRenewed: ["secretDigest"],
        .keyAdded: ["publicKey"], .rolledBack: ["request"],
    ]

    @Test(arguments: EventType.allCases)
    func `answers leave out what is declared so, and nothing else`(type: EventType) throws {
        let told = try EventSamples.sample(type).1.told
        let answered = Set(told.data(.answered).keys)
        #expect(
            Set(told.data(.stored).keys).subtracting(answered) == Self.redacted[type] ?? []
        )
    }

    @Test(arguments: EventType.allCases)
    func `a type is one of freezes where its events are`(type: EventType) throws {
        let (stream, event) = try EventSamples.sample(type)
        let isOfApp = EventType.freezesOfApp.contains(type)
        let isOfEverything = EventType.freezesOfEverything.contains(type)
        #expect(isOfApp == (event.freeze != nil && stream == .app(harbour)))
        #expect(isOfEverything == (event.freeze != nil && stream == .service))
    }

    @Test(arguments: EventType.allCases)
    func `an event that orders a publication names the app`(type: EventType) throws {
        let recorded = try EventSamples.recorded(type)
        #expect((recorded.ordersPublication != nil) == type.declaration.publishes)
    }

    @Test func `the page of events says the shape and the members of every type`() throws {
        let page = try EventsPage()
        for type in EventType.allCases {
            let keys = type.declaration.keys.map { "`\($0)`" }.joined(separator: ", ")
            let row = "| `\(type.rawValue)` | \(type.shape) | \(keys.isEmpty ? "nothing" : keys) |"
            let stream = try EventSamples.sample(type).0.text.prefix { $0 != "/" }
            #expect(page.rows["\(stream)"]?.contains { $0.hasPrefix(row) } == true, "\(row)")
        }
        #expect(page.rows.values.reduce(0) { $0 + $1.count } == EventType.allCases.count)
    }

    @Test func `the page of events says which of them order a publication`() throws {
        let ordering = EventType.allCases.filter(\.declaration.publishes).map(\.rawValue)
        #expect(try EventsPage().ordering == Set(ordering))
    }
}

/// `docs/reference/events.md`.
private struct EventsPage {
    /// By the kind of their streams, the rows that say what their types are.
    private(set) var rows: [String: [Substring]] = [:]
    /// The types that order a publication whatever they say.
    private(set) var ordering: Set<String> = []

    init() throws {
        var root = URL(filePath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        let page = try String(
            contentsOf: root.appending(path: "docs/reference/events.md"),
            encoding: .utf8
        )
        for section in page.split(separator: "\n## ") {
            let lines = section.split(separator: "\n")
            if let stream = section.firstMatch(of: /^Stream `(\w+)/)?.1 {
                rows[String(stream)] = lines.filter { $0.hasPrefix("| `") }
            } else if section.hasPrefix("Which events order a publication") {
                let whole = lines.dropFirst().joined(separator: " ").prefix { $0 != ";" }
                ordering = Set(whole.matches(of: /`(\w+)`/).map { String($0.1) })
            }
        }
    }
}
