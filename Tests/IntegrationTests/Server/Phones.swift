import Foundation
import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import Synchronization
import Testing

/// Phones that know one key alone.
struct Phones {
    /// Where one of them asks, and the key that it knows.
    struct Place: Sendable {
        /// Host and port of an edge.
        let edge: String
        let path: String
        /// The host that it asks for, where that is another one.
        var host: String?
        let key: String
    }

    private let keys: PublishedKeys
    private let transport: Transport

    /// Takes the published list of keys.
    init(of keys: [UInt8], _ transport: Transport) throws {
        self.keys = try PublishedKeys(parsing: keys)
        self.transport = transport
    }

    /// Polls at each of the places while the body runs; every document there has to be one that the
    /// phone can check.
    func polling(_ places: [Place], _ body: () async throws -> Void) async throws {
        let round = Round(places.count)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, place) in places.enumerated() {
                let known = keys.keys.filter { $0.id.text == place.key }
                let trusted = TrustedKeys(PublishedKeys(known))
                group.addTask(name: "phone") {
                    while !round.isOver {
                        try await poll(place, trusted)
                        round.countPoll(number)
                    }
                }
            }
            do {
                defer { round.end() }
                try await body()
            }
            try await group.waitForAll()
        }
        #expect(round.polls.allSatisfy { $0 > 2 })
    }

    private func poll(_ place: Place, _ trusted: TrustedKeys) async throws {
        let request = WebRequest(
            .get,
            "http://\(place.edge)\(place.path)",
            headers: place.host.map { [("Host", $0)] } ?? []
        )
        let answer = try await transport.send(request)
        // Before its key signs there is nothing for a phone, and before an edge has loaded it.
        guard ![404, 503].contains(answer.status) else { return }
        try #require(answer.status == 200)
        let signature = try DistributionSignature(
            signatureHeader: answer.header("x-amz-meta-signature"),
            dateHeader: answer.header("x-amz-meta-signature-date")
        )
        let verified = try? signature.verify(answer.body, keys: trusted)
        #expect(verified != nil, "\(place): \(signature.keyID)")
    }
}

/// How long phones poll, and how often each did.
private final class Round: Sendable {
    private struct State {
        var isOver = false
        var polls: [Int]
    }

    private let state: Mutex<State>

    init(_ count: Int) {
        state = Mutex(State(polls: Array(repeating: 0, count: count)))
    }

    var isOver: Bool { state.withLock(\.isOver) }
    var polls: [Int] { state.withLock(\.polls) }

    func countPoll(_ number: Int) { state.withLock { $0.polls[number] += 1 } }
    func end() { state.withLock { $0.isOver = true } }
}
