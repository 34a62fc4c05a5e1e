import Testing
import Logging
import PlimsollDomain
import ServiceLifecycle

@testable import PlimsollEdge

/// A listener on a port of its own, stopped gracefully when the test ends.
enum EdgeFixture {
    static let path = "/distribution/availability-ios"
    static let request = "GET \(path) HTTP/1.1\r\nHost: edge.example\r\n\r\n"
    static let body = Array(
        String(repeating: #"{"minimumAppVersion":{"value":"3.2.0"}}"#, count: 30).utf8
    )
    static let signature = EdgeResource.Signature(
        value: #"keyId="0a1b2c3d-0000-4000-8000-000000000001",signature="MEUCIQ==""#,
        date: "Mon, 03 Aug 2020 22:59:35 UTC"
    )

    static func resource(
        _ body: [UInt8] = body,
        paths: [String] = [path],
        signature: EdgeResource.Signature? = signature
    ) throws -> EdgeResource {
        try #require(
            EdgeResource(
                paths: paths,
                mediaType: "application/json",
                signature: signature,
                body: body
            )
        )
    }

    static func table() throws -> EdgeTable { try table([resource()]) }

    static func table(_ resources: [EdgeResource]) throws -> EdgeTable {
        EdgeTable(resources, publications: [])
    }

    static func with<Result: Sendable>(
        table: EdgeTable? = nil,
        limits: EdgeLimits = EdgeLimits(),
        threads: Int = 1,
        tls: TLSSource? = nil,
        packages: PackageSettings? = nil,
        _ body: @Sendable (EdgeService, EdgeAddress) async throws -> Result
    ) async throws -> Result {
        try await withStop(
            table: table,
            limits: limits,
            threads: threads,
            tls: tls,
            packages: packages
        ) { service, _, address in
            try await body(service, address)
        }
    }

    /// The same for who announces the stop itself.
    static func withStop<Result: Sendable>(
        table: EdgeTable? = nil,
        limits: EdgeLimits = EdgeLimits(),
        threads: Int = 1,
        tls: TLSSource? = nil,
        packages: PackageSettings? = nil,
        _ body: @Sendable (EdgeService, () async -> Void, EdgeAddress) async throws -> Result
    ) async throws -> Result {
        var configuration = EdgeConfiguration(
            port: 0,
            threads: threads,
            limits: limits,
            tls: tls
        )
        configuration.devices = BothListeners.devices
        configuration.packages = packages ?? BothListeners.packages
        let usual = BothListeners.devices == nil ? self.table : { try DeviceFixture.table() }
        let service = EdgeService(
            configuration,
            table: try table ?? usual(),
            logger: Logger(label: "edge")
        )
        let group = ServiceGroup(services: [service], logger: Logger(label: "edge"))
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask(name: "edge") { try await group.run() }
            do {
                let address = try await service.address()
                let stop = { () async in await group.triggerGracefulShutdown() }
                let result = try await body(service, stop, address)
                await group.triggerGracefulShutdown()
                try await tasks.waitForAll()
                return result
            } catch {
                await group.triggerGracefulShutdown()
                throw error
            }
        }
    }

    /// One request on a connection of its own.
    static func answer(
        to request: String,
        headOnly: Bool = false,
        table: EdgeTable? = nil
    ) async throws -> Answer {
        try await with(table: table) { _, address in
            try await RawConnection.with(address) { connection in
                try await connection.send(request)
                return try #require(try await connection.answer(headOnly: headOnly))
            }
        }
    }

    static func get(_ path: String = path, fields: [String] = []) -> String {
        (["GET \(path) HTTP/1.1", "Host: edge.example"] + fields).joined(separator: "\r\n")
            + "\r\n\r\n"
    }
}
