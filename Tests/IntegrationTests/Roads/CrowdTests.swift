import PlimsollAPI
import Testing

extension ServiceTests {
    /// The edge by itself, among people who mean no good.
    @Suite(.alone) struct CrowdTests {
        // Goal: connections that are opened and dropped in every way leave nothing behind, and who
        // comes meanwhile is served. Method: the real process; its open files and its memory are
        // those of before once the crowd is gone. The first crowd is not measured: it fills pools.
        @Test func `a crowd that comes and goes leaves nothing behind`() async throws {
            try await ServerFixture.with { fixture in
                let export = try await fixture.makeExport()
                try await fixture.standaloneEdge(over: export) { edge in
                    let crowd = Crowd(port: try edge.port)
                    try await expectServed(fixture, edge)
                    let files = try edge.descriptorCount()
                    try await crowd.come(2000)
                    try await calm(edge, files)
                    let memory = try edge.memory()
                    for _ in 0..<3 {
                        async let coming: Void = crowd.come(2000)
                        for _ in 0..<20 { try await expectServed(fixture, edge) }
                        try await coming
                    }
                    try await calm(edge, files)
                    #expect(try edge.memory() - memory < 8 << 20)
                    try await expectServed(fixture, edge)
                }
            }
        }

        private func expectServed(_ fixture: ServerFixture, _ edge: EdgeProcess) async throws {
            let url = "http://\(edge.address)/distribution/availability-ios"
            let answer = try await eventually("a document at the edge") {
                let answer = try await fixture.transport.send(WebRequest(.get, url))
                return [404, 503].contains(answer.status) ? nil : answer
            }
            #expect(answer.status == 200)
        }

        /// Waits until no more is open than before; the connection of the honest one may stay.
        private func calm(_ edge: EdgeProcess, _ files: Int) async throws {
            try await eventually("the end of the crowd") {
                try edge.descriptorCount() <= files ? () : nil
            }
        }
    }
}
