import Foundation
import Logging
import PlimsollEdge
import PlimsollTestSupport
import ServiceLifecycle
import Testing

@testable import PlimsollClient

/// The client against the listener that phones really get their documents from.
@Suite(.timeLimit(.minutes(5))) struct EdgeTests {
    private func table(_ harbour: Harbour, _ sequence: Int) throws -> EdgeTable {
        var draft = DocumentDraft()
        draft.sequence = sequence
        // Long enough that the edge prepares a compressed answer.
        draft.members["padding"] =
            "[\(Array(repeating: "\"harbour\"", count: 200).joined(separator: ","))]"
        let headers = try harbour.publisher.headers(for: draft.body)
        let resource = EdgeResource(
            paths: ["/distribution/harbour/availability-ios"],
            mediaType: "application/json",
            signature: .init(value: headers.signature, date: headers.date),
            body: Array(draft.body)
        )
        return EdgeTable([try #require(resource)], publications: [])
    }

    private func serve(
        _ harbour: Harbour,
        _ body: (EdgeService, AvailabilityClient) async throws -> Void
    ) async throws {
        let logger = Logger(label: "edge") { _ in SwiftLogNoOpLogHandler() }
        let edge = EdgeService(
            EdgeConfiguration(port: 0),
            table: try table(harbour, 113),
            logger: logger
        )
        let group = ServiceGroup(services: [edge], logger: logger)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask(name: "edge") { try await group.run() }
            let client = try harbour.client(port: try await edge.address().port)
            do {
                try await body(edge, client)
            } catch {
                await group.triggerGracefulShutdown()
                throw error
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    @Test func `what the edge serves is fetched, compressed, and asked for again`() async throws {
        try await Harbour.with { harbour in
            try await serve(harbour) { edge, client in
                let first = await client.refresh()
                #expect(first.refreshError == nil)
                #expect(first.document?.stamp.sequence == 113)
                #expect(await client.kept?.entityTag?.hasPrefix("\"") == true)
                let second = await client.refresh()
                #expect(second.refreshError == nil)
                #expect(second.document == first.document)
                edge.update(try table(harbour, 114))
                #expect(await client.refresh().document?.stamp.sequence == 114)
                edge.update(try table(harbour, 113))
                let refused = await client.refresh()
                #expect(refused.refreshError?.code == .lowerSequence)
                #expect(refused.document?.stamp.sequence == 114)
                edge.update(EdgeTable([], publications: []))
                #expect(await client.refresh().refreshError?.code == .unexpectedStatus)
                #expect(await client.state().decision.verdict == .appTooOld)
            }
        }
    }

    @Test func `the states keep the pace that the edge asks for`() async throws {
        try await Harbour.with { harbour in
            try await serve(harbour) { edge, client in
                var states = client.states.makeAsyncIterator()
                _ = await states.next()
                #expect(await states.next()?.document?.stamp.sequence == 113)
                edge.update(try table(harbour, 114))
                #expect(await states.next()?.document?.stamp.sequence == 114)
                #expect(harbour.clock.pauses == [60])
            }
        }
    }
}
