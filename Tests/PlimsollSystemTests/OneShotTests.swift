import Testing

@testable import PlimsollSystem

struct OneShotTests {
    private struct Broken: Error {}

    @Test func `those who wait get the value, and those who come later at once`() async throws {
        let shot = OneShot<Int>()
        #expect(!shot.isSettled)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 { group.addTask { try await shot.value } }
            await Task.yield()
            shot.settle(.success(7))
            for try await value in group { #expect(value == 7) }
        }
        #expect(shot.isSettled)
        #expect(try await shot.value == 7)
    }

    @Test func `the first result stays`() async throws {
        let shot = OneShot<Int>()
        shot.settle(.success(1))
        shot.settle(.success(2))
        shot.settle(.failure(Broken()))
        #expect(try await shot.value == 1)
    }

    @Test func `everybody learns what went wrong`() async throws {
        let shot = OneShot<Void>()
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    do { try await shot.value } catch { return error is Broken }
                    return false
                }
            }
            await Task.yield()
            shot.settle(.failure(Broken()))
            for await wasTold in group { #expect(wasTold) }
        }
        await #expect(throws: Broken.self) { try await shot.value }
    }

    @Test func `who is cancelled waits no longer`() async throws {
        let shot = OneShot<Void>()
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    do { try await shot.value } catch { return error is CancellationError }
                    return false
                }
            }
            group.cancelAll()
            for await wasCancelled in group { #expect(wasCancelled) }
        }
    }

    @Test func `after a reset everybody waits for the next result`() async throws {
        let shot = OneShot<Void>()
        shot.settle()
        shot.reset()
        #expect(!shot.isSettled)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await shot.value }
            await Task.yield()
            shot.settle()
            try await group.waitForAll()
        }
    }
}
