import Testing

@testable import PlimsollPostgres

@Suite struct ReadinessGateTests {
    private struct Broken: Error {}

    @Test func `those who wait go on when it opens, and those who come later at once`() async throws
    {
        let gate = ReadinessGate()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask { try await gate.wait() }
            }
            await Task.yield()
            gate.open()
            try await group.waitForAll()
        }
        try await gate.wait()
    }

    @Test func `everybody learns what went wrong`() async throws {
        let gate = ReadinessGate()
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    do { try await gate.wait() } catch { return error is Broken }
                    return false
                }
            }
            await Task.yield()
            gate.fail(with: Broken())
            for await wasTold in group { #expect(wasTold) }
        }
        await #expect(throws: Broken.self) { try await gate.wait() }
    }

    @Test func `who is cancelled waits no longer`() async throws {
        let gate = ReadinessGate()
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    do { try await gate.wait() } catch { return error is CancellationError }
                    return false
                }
            }
            group.cancelAll()
            for await wasCancelled in group { #expect(wasCancelled) }
        }
    }

    @Test func `closed again it lets nobody pass until it opens again`() async throws {
        let gate = ReadinessGate()
        gate.open()
        gate.close()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await gate.wait() }
            await Task.yield()
            gate.open()
            try await group.waitForAll()
        }
    }
}
