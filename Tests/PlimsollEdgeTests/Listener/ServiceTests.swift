import Logging
import PlimsollSystem
import ServiceLifecycle
import Testing

@testable import PlimsollEdge

/// Starting and stopping.
@Suite(.timeLimit(.minutes(5))) struct ServiceTests {
    private func service(_ configuration: EdgeConfiguration) throws -> EdgeService {
        EdgeService(
            configuration,
            table: try EdgeFixture.table(),
            logger: Logger(label: "edge")
        )
    }

    @Test func `the address is known as soon as it listens and says what was chosen`()
        async throws
    {
        try await EdgeFixture.with { service, address in
            #expect(address.port > 0)
            #expect(address.description == "127.0.0.1:\(address.port)")
            let again = try await service.address()
            #expect(again == address)
        }
        #expect(EdgeAddress(host: "::1", port: 8081).description == "[::1]:8081")
    }

    @Test func `a port that is taken fails the service and who waits for the address`()
        async throws
    {
        try await EdgeFixture.with { _, address in
            let second = try service(EdgeConfiguration(port: address.port))
            async let waiting = Result(catching: { () async throws in try await second.address() })
            await #expect(throws: SocketFailure.self) { try await second.run() }
            let outcome = await waiting
            #expect(throws: SocketFailure.self) { try outcome.get() }
        }
    }

    // Goal: a stop loses no request that has begun to arrive. Method: half a request is sent,
    // the stop is announced, a fresh connection shows that it has begun, and the rest follows.
    @Test func `a stop lets requests under way finish and closes idle connections`()
        async throws
    {
        let service = try service(EdgeConfiguration(port: 0, threads: 1))
        let group = ServiceGroup(services: [service], logger: Logger(label: "edge"))
        try await withThrowingDiscardingTaskGroup { tasks in
            tasks.addTask(name: "edge") { try await group.run() }
            let address = try await service.address()
            try await RawConnection.with(address) { idle in
                try await idle.send(EdgeFixture.request)
                _ = try await idle.answer()
                try await RawConnection.with(address) { busy in
                    let request = EdgeFixture.request
                    try await busy.send(request + request.prefix(20))
                    _ = try await busy.answer()
                    await group.triggerGracefulShutdown()
                    #expect(try await idle.rest() == "")
                    try await busy.send(String(request.dropFirst(20)))
                    let answer = try #require(try await busy.answer())
                    #expect(answer.body == EdgeFixture.body)
                    #expect(answer["Connection"] == "close")
                    #expect(try await busy.rest() == "")
                }
            }
        }
    }

    @Test func `a stop does not wait for ever`() async throws {
        var limits = EdgeLimits()
        limits.tickInterval = .milliseconds(5)
        limits.drainTimeout = .milliseconds(30)
        try await EdgeFixture.with(limits: limits) { _, address in
            try await RawConnection.with(address) { connection in
                try await connection.send(EdgeFixture.request + "GET / HT")
                _ = try await connection.answer()
            }
        }
        let service = try service(EdgeConfiguration(port: 0, limits: limits))
        let group = ServiceGroup(services: [service], logger: Logger(label: "edge"))
        try await withThrowingDiscardingTaskGroup { tasks in
            tasks.addTask(name: "edge") { try await group.run() }
            try await RawConnection.with(try await service.address()) { connection in
                try await connection.send(EdgeFixture.request + "GET / HT")
                _ = try await connection.answer()
                await group.triggerGracefulShutdown()
                #expect(try await connection.rest() == "")
            }
        }
    }

    @Test func `a cancelled service ends at once`() async throws {
        let service = try service(EdgeConfiguration(port: 0))
        await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask(name: "edge") { try await service.run() }
            _ = try? await service.address()
            tasks.cancelAll()
        }
    }
}

extension Result where Failure == any Error {
    fileprivate init(catching body: () async throws -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
