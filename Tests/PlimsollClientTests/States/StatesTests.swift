import Foundation
import PlimsollTestSupport
import Testing

@testable import PlimsollClient

@Suite(.timeLimit(.minutes(5))) struct StatesTests {
    private func answer(_ harbour: Harbour, _ sequence: Int) throws -> [UInt8] {
        var draft = DocumentDraft()
        draft.sequence = sequence
        return try harbour.publisher.answer(draft.body, fields: ["Cache-Control": "max-age=90"])
    }

    @Test func `the states follow the service, at the pace it asks for`() async throws {
        try await Harbour.with { harbour in
            // The third answer brings nothing new, so it makes no state.
            let answers = try [1, 2, 2, 3].map { try answer(harbour, $0) }
            try await ScriptedServer.answering(answers) { _, port in
                var seen: [Int64?] = []
                for await state in try harbour.client(port: port).states.prefix(4) {
                    seen.append(state.document?.stamp.sequence)
                }
                #expect(seen == [nil, 1, 2, 3])
                #expect(harbour.clock.pauses == [90, 90, 90])
            }
        }
    }

    @Test func `without a network pauses grow, and the document goes stale without a block`()
        async throws
    {
        try await Harbour.with { harbour in
            try harbour.documentFolder.keep(harbour.kept())
            var states: [AvailabilityState] = []
            for await state in try harbour.client().states.prefix(3) { states.append(state) }
            #expect(states.map { $0.refreshError?.code } == [nil, .unreachable, .unreachable])
            let expiry = try harbour.kept().document.stamp.expiresAt
            #expect(
                states.map(\.freshness) == [
                    .fresh(until: expiry), .fresh(until: expiry), .stale(since: expiry),
                ]
            )
            #expect(Set(states.map(\.decision)).count == 1)
            #expect(Array(harbour.clock.pauses.prefix(4)) == [15, 30, 60, 120])
            #expect(harbour.clock.pauses.max() == 7200)
            #expect(harbour.clock.now == expiry)
        }
    }

    @Test func `a service that asks to be left alone is`() async throws {
        try await Harbour.with { harbour in
            let answers = try [
                Publisher.unsigned("503 Busy", fields: ["Retry-After": "300"]), answer(harbour, 1),
            ]
            try await ScriptedServer.answering(answers) { _, port in
                for await _ in try harbour.client(port: port).states.prefix(3) {}
                #expect(harbour.clock.pauses == [300])
            }
        }
    }

    @Test func `a clock that is set back makes a refresh due`() async throws {
        try await Harbour.with { harbour in
            let answer = try answer(harbour, 1)
            try await ScriptedServer.with { _ in
                .bytes(answer)
            } _: { server, port in
                let client = try harbour.client(port: port)
                await client.refreshIfDue()
                await client.refreshIfDue()
                #expect(server.requests.count == 1)
                harbour.clock.set(harbour.clock.now.addingTimeInterval(-1))
                await client.refreshIfDue()
                #expect(server.requests.count == 2)
                harbour.clock.set(harbour.clock.now.addingTimeInterval(90))
                await client.refreshIfDue()
                #expect(server.requests.count == 3)
            }
        }
    }

    @Test func `whoever calls while somebody waits for the service gets the same answer`()
        async throws
    {
        try await Harbour.with { harbour in
            let answer = try answer(harbour, 1)
            try await ScriptedServer.with { _ in
                .bytes(answer)
            } _: { server, port in
                let transport = GatedTransport()
                let client = try harbour.waitingClient(port: port) { $0.transport = transport }
                async let first = client.refresh()
                await transport.waitForRequest()
                async let second = client.refresh()
                while await client.news.listeners == 0 { await Task.yield() }
                transport.open()
                #expect(await first.document?.stamp.sequence == 1)
                #expect(await second.document?.stamp.sequence == 1)
                #expect(transport.requests == 1)
            }
        }
    }

    @Test func `who waits for a call that is cancelled asks by itself`() async throws {
        try await Harbour.with { harbour in
            let answer = try answer(harbour, 1)
            try await ScriptedServer.with { _ in
                .bytes(answer)
            } _: { _, port in
                let transport = GatedTransport()
                let client = try harbour.waitingClient(port: port) { $0.transport = transport }
                await withTaskGroup(of: Void.self) { group in
                    group.addTask { await client.refresh() }
                    await transport.waitForRequest()
                    async let second = client.refresh()
                    async let third = client.refresh()
                    while await client.news.listeners < 2 { await Task.yield() }
                    group.cancelAll()
                    transport.open()
                    #expect(await second.document?.stamp.sequence == 1)
                    #expect(await third.document?.stamp.sequence == 1)
                }
                #expect(transport.requests == 2)
            }
        }
    }

    @Test func `a refresh by somebody else wakes those who iterate`() async throws {
        try await Harbour.with { harbour in
            let answers = try [answer(harbour, 1), answer(harbour, 2)]
            try await ScriptedServer.answering(answers) { _, port in
                let client = try harbour.waitingClient(port: port) { _ in }
                var states = client.states.makeAsyncIterator()
                #expect(await states.next()?.document == nil)
                #expect(await states.next()?.document?.stamp.sequence == 1)
                async let refreshed = client.refreshOnceSomebodyWaits()
                #expect(await states.next()?.document?.stamp.sequence == 2)
                #expect(await refreshed.document?.stamp.sequence == 2)
            }
        }
    }

    @Test func `cancelling ends the iteration, whatever it waits for`() async throws {
        try await Harbour.with { harbour in
            let transport = DeafTransport()
            defer { transport.gate.open() }
            let client = try harbour.waitingClient(port: 1) { $0.transport = transport }
            let states = await withTaskGroup(of: Int.self) { group in
                group.addTask {
                    var count = 0
                    for await _ in client.states { count += 1 }
                    return count
                }
                while transport.gate.count == 0 { await Task.yield() }
                group.cancelAll()
                return await group.next()
            }
            #expect(states == 1)
        }
    }

    @Test func `a transport that never ends is given up`() async throws {
        try await Harbour.with { harbour in
            let client = try harbour.client {
                $0.transport = EndlessTransport()
                $0.timeLimit = 0.2
            }
            #expect(await client.refresh().refreshError?.code == .timedOut)
        }
    }

    @Test func `a transport that does not hear that it is cancelled is given up too`() async throws
    {
        try await Harbour.with { harbour in
            let transport = DeafTransport()
            defer { transport.gate.open() }
            let late = try harbour.client {
                $0.transport = transport
                $0.timeLimit = 0.2
            }
            #expect(await late.refresh().refreshError?.code == .timedOut)
            let cancelled = try harbour.waitingClient(port: 1) { $0.transport = transport }
            await withTaskGroup(of: Void.self) { group in
                let count = transport.gate.count
                group.addTask { await cancelled.refresh() }
                while transport.gate.count == count { await Task.yield() }
                group.cancelAll()
            }
            #expect(await cancelled.state().refreshError == nil)
        }
    }
}
