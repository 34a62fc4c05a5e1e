import Foundation
import PlimsollTestSupport
import Synchronization
import Testing

@testable import PlimsollClient

@Suite(.timeLimit(.minutes(5))) struct StoreTests {
    /// The verdict with a store that has this version, and how often it was asked.
    private func ask(
        _ store: String?,
        app: String = "3.1.0"
    ) async throws -> (verdict: Verdict, times: Int) {
        try await Harbour.with(app: app) { harbour in
            try harbour.documentFolder.keep(harbour.kept())
            let asked = Mutex(0)
            let times = { @Sendable in asked.withLock { $0 } }
            let lookUp = { @Sendable () async -> Version? in
                asked.withLock { $0 += 1 }
                return store.flatMap { Version($0) }
            }
            let client = try harbour.client { $0.storeVersion = lookUp }
            return (await client.refresh().decision.verdict, times())
        }
    }

    @Test func `a store with a version that may run is offered`() async throws {
        #expect(try await ask("3.2.0") == (.appTooOldUpdateAvailable, 1))
        #expect(try await ask("3.1.9") == (.appTooOld, 1))
        #expect(try await ask(nil) == (.appTooOld, 1))
    }

    @Test func `the store is left alone where it makes no difference`() async throws {
        #expect(try await ask("9", app: "3.2.0") == (.available, 0))
    }

    @Test func `a store that never answers is not waited for`() async throws {
        try await Harbour.with { harbour in
            try harbour.documentFolder.keep(harbour.kept())
            let client = try harbour.client {
                $0.timeLimit = 0.2
                $0.storeVersion = {
                    try? await Task.sleep(nanoseconds: 3_600_000_000_000)
                    return Version("9")
                }
            }
            #expect(await client.refresh().decision.verdict == .appTooOld)
        }
    }

    /// A store that says that it has everything once the gate is opened.
    private func store(behind gate: DeafGate) -> @Sendable () async -> Version? {
        {
            await gate.pass()
            return Version("9")
        }
    }

    @Test func `a store that does not hear that its time is over is left behind`() async throws {
        try await Harbour.with { harbour in
            try harbour.documentFolder.keep(harbour.kept())
            let (gate, transport) = (DeafGate(), GatedTransport())
            defer { gate.open() }
            transport.open()
            let client = try harbour.client {
                $0.timeLimit = 0.2
                $0.transport = transport
                $0.storeVersion = store(behind: gate)
            }
            #expect(await client.refresh().decision.verdict == .appTooOld)
            #expect(transport.requests == 1)
            #expect(await client.refresh().decision.verdict == .appTooOld)
            #expect(transport.requests == 2)
            var states = client.states.makeAsyncIterator()
            #expect(await states.next()?.decision.verdict == .appTooOld)
        }
    }

    @Test func `what was fetched is shown before the store has answered`() async throws {
        try await Harbour.with { harbour in
            let answer = try harbour.publisher.answer(
                DocumentDraft().body,
                fields: ["Cache-Control": "max-age=90"]
            )
            let gate = DeafGate()
            try await ScriptedServer.with { _ in
                .bytes(answer)
            } _: { server, port in
                let client = try harbour.client(port: port) {
                    $0.storeVersion = store(behind: gate)
                }
                var states = client.states.makeAsyncIterator()
                #expect(await states.next()?.document == nil)
                #expect(await states.next()?.decision.verdict == .appTooOld)
                async let opening: Void = gate.openOnceSomebodyWaits()
                #expect(await states.next()?.decision.verdict == .appTooOldUpdateAvailable)
                await opening
                #expect(server.requests.count == 1)
            }
        }
    }

    // Method: whoever iterates waits for news, or for the store because of the first document.
    @Test(arguments: [false, true])
    func `a refresh wakes those who iterate before the store has answered, and then again`(
        isStoreAsked: Bool
    ) async throws {
        try await Harbour.with { harbour in
            var first = DocumentDraft()
            first.sequence = 112
            if !isStoreAsked { first.members = [:] }
            let answers = try [first, DocumentDraft()].map {
                try harbour.publisher.answer($0.body, fields: ["Cache-Control": "max-age=90"])
            }
            let gate = DeafGate()
            try await ScriptedServer.answering(answers) { _, port in
                let client = try harbour.waitingClient(port: port) {
                    $0.storeVersion = store(behind: gate)
                }
                var states = client.states.makeAsyncIterator()
                #expect(await states.next()?.document == nil)
                #expect(await states.next()?.document?.stamp.sequence == 112)
                async let refreshed = client.refreshOnceSomebodyWaits()
                let second = await states.next()
                #expect(second?.document?.stamp.sequence == 113)
                #expect(second?.decision.verdict == .appTooOld)
                async let opening: Void = gate.openOnceSomebodyWaits()
                #expect(await states.next()?.decision.verdict == .appTooOldUpdateAvailable)
                #expect(await refreshed.decision.verdict == .appTooOldUpdateAvailable)
                await opening
            }
        }
    }

    // Method: the second asks the service by itself, whose answer the first has already, and then
    // waits with it for the store; or the first is cancelled, and it asks the store too.
    @Test(arguments: [false, true])
    func `who refreshes while the store is asked waits for its answer`(
        isCancelled: Bool
    ) async throws {
        try await Harbour.with { harbour in
            let answer = try harbour.publisher.answer(DocumentDraft().body)
            let gate = DeafGate()
            try await ScriptedServer.with { _ in
                .bytes(answer)
            } _: { server, port in
                let client = try harbour.waitingClient(port: port) {
                    $0.storeVersion = store(behind: gate)
                }
                await withTaskGroup(of: Void.self) { group in
                    group.addTask { await client.refresh() }
                    while gate.count == 0 { await Task.yield() }
                    async let second = client.refresh()
                    while await client.news.listeners == 0 { await Task.yield() }
                    #expect(server.requests.count == 2)
                    #expect(gate.count == 1)
                    if isCancelled {
                        group.cancelAll()
                        while gate.count == 1 { await Task.yield() }
                    }
                    gate.open()
                    #expect(await second.decision.verdict == .appTooOldUpdateAvailable)
                }
            }
        }
    }
}
