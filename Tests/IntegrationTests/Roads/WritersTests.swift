import PlimsollAdmin
import PlimsollJSON
import Testing

extension ServiceTests {
    @Suite struct WritersTests {
        // Goal: eight writers at once, and a reader who never sees a hole.
        // Method: the reader asks for the newest page over and over and holds it against the rules
        // of numbering while they write.
        @Test func `eight writers leave no gap and no repeat`() async throws {
            try await ServerFixture.with { fixture in
                try await fixture.run { server in
                    let ledger = Ledger()
                    let crew = try await Worker.crew(8, at: server, ledger)
                    let token = try fixture.adminToken()
                    let deadline = ContinuousClock.now + .seconds(4)
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for worker in crew {
                            group.addTask(name: "writer") {
                                try await worker.work(at: server) {
                                    ContinuousClock.now < deadline
                                }
                            }
                        }
                        group.addTask(name: "reader") {
                            var seen: Int64 = 0
                            while ContinuousClock.now < deadline {
                                seen = try await expectNoHole(server, token, since: seen)
                            }
                        }
                        try await group.waitForAll()
                    }
                    let events = try await server.events(as: token)
                    expectDense(events)
                    ledger.expectKept(in: events)
                    #expect(ledger.applied.count >= crew.count)
                    #expect(ledger.applied.count == ledger.all.count { !$0.isRefused })
                }
            }
        }
    }
}

/// Reads the newest page; its positions follow each other, and nothing that was there is gone.
private func expectNoHole(
    _ server: RunningServer,
    _ token: String,
    since seen: Int64
) async throws -> Int64 {
    let page = try await server.send(.get, "/v1/events?limit=200", as: token)
    let positions = (page.json["events"]?.array ?? []).compactMap { $0["position"]?.integer }
    let newest = try #require(positions.first)
    #expect(positions == Array((newest - Int64(positions.count) + 1...newest).reversed()))
    #expect(newest >= seen)
    return newest
}
