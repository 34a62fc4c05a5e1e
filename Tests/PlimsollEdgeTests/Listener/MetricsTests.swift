import Metrics
import PlimsollDomain
import PlimsollTestSupport
import Testing

@testable import PlimsollEdge

/// What the operator can watch.
@Suite(.timeLimit(.minutes(5))) struct MetricsTests {
    @Test func `every answer is counted by its status and none is lost at the end`()
        async throws
    {
        let notebook = MetricsNotebook()
        try await withMetricsFactory(notebook) {
            try await EdgeFixture.with(threads: 2) { _, address in
                for _ in 0..<4 {
                    try await RawConnection.with(address) { connection in
                        try await connection.send(
                            String(repeating: EdgeFixture.request, count: 5)
                                + EdgeFixture.get("/nowhere")
                                + EdgeFixture.get(fields: ["If-None-Match: *"])
                                + "GET / HTTP/2.0\r\n\r\n"
                        )
                        _ = try await connection.rest()
                    }
                }
            }
        }
        #expect(notebook["plimsoll.requests.answered status=200"] == 20)
        #expect(notebook["plimsoll.requests.answered status=304"] == 4)
        #expect(notebook["plimsoll.requests.answered status=404"] == 4)
        #expect(notebook["plimsoll.requests.answered status=505"] == 4)
        #expect(notebook["plimsoll.requests.answered status=400"] == nil)
        #expect(notebook["plimsoll.connections.open"] ?? 0 == 0)
    }

    @Test func `open connections and the age of what is served are reported`() async throws {
        let notebook = MetricsNotebook()
        let publication = EdgeTable.Publication(
            app: try #require(AppSlug("harbour")),
            sequence: try #require(SnapshotSequence(rawValue: 42)),
            issuedAt: Instant.current.advanced(by: .seconds(-3600))
        )
        let table = EdgeTable([try EdgeFixture.resource()], publications: [publication])
        var limits = EdgeLimits()
        limits.tickInterval = .milliseconds(5)
        try await withMetricsFactory(notebook) { [limits] in
            try await EdgeFixture.with(table: table, limits: limits) { _, address in
                try await RawConnection.with(address) { _ in
                    let age = await notebook.first("plimsoll.snapshot.age.seconds app=harbour")
                    #expect(age >= 3600 && age < 3660)
                    #expect(await notebook.first("plimsoll.snapshot.sequence app=harbour") == 42)
                    #expect(await notebook.first("plimsoll.connections.open") == 1)
                }
            }
        }
    }

    @Test func `snapshots that are loaded and refused are counted`() async throws {
        let notebook = MetricsNotebook()
        try await ExportFixture.with { fixture in
            try await withMetricsFactory(notebook) {
                let loader = fixture.loader(fixture.edge())
                try fixture.publish(8)
                await loader.load(fixture.app)
                try fixture.publish(7)
                for _ in 0..<3 { await loader.load(fixture.app) }
            }
        }
        #expect(notebook["plimsoll.snapshots.loaded"] == 1)
        // Counted when it was found, not whenever it was looked at again.
        #expect(notebook["plimsoll.snapshots.refused"] == 1)
    }
}
