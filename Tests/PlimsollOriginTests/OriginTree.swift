import Foundation
import Logging
import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import PlimsollEdge
import PlimsollOrigin
import PlimsollPublishing
import PlimsollTestSupport
import ServiceLifecycle
import Synchronization
import Testing

/// An edge as far as other edges see it: no phone is answered.
final class TreeEdge: Sendable {
    let loader: SnapshotLoader
    let offers = SnapshotOffers()
    let followers: FollowingEdges
    let id = EdgeID()
    private let edge: EdgeService

    static let logger = Logger(label: "edge") { _ in SwiftLogNoOpLogHandler() }

    /// Short, since tests wait for it.
    static var pace: OriginPace {
        var pace = OriginPace()
        (pace.silence, pace.retry) = (.milliseconds(200), .milliseconds(100))
        pace.report = .milliseconds(20)
        return pace
    }

    /// Takes who sees whatever is served.
    init(
        _ name: String = "edge",
        trusting keys: TrustedKeys,
        telling tell: @escaping @Sendable ([OfferedSnapshot]) -> Void = { _ in },
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        followers = FollowingEdges(name: name)
        edge = EdgeService(EdgeConfiguration(port: 0), logger: Self.logger)
        var settings = SnapshotLoader.Settings(export: nil)
        settings.proofs = { _, _, _ in .proven(cosignatures: 1) }
        settings.now = now
        settings.offer = { [offers] snapshots in
            tell(snapshots)
            offers.offer(snapshots)
        }
        loader = SnapshotLoader(settings, trusting: keys, edge: edge, logger: Self.logger)
    }

    var sequences: [Int64] { edge.table.publications.map(\.sequence.rawValue) }

    /// Whether exactly these are served in the end.
    func serves(_ sequences: Int64...) async -> Bool {
        await eventually { self.sequences == sequences }
    }

    /// Has other edges told and answered for as long as the body runs.
    func listening(_ body: (_ port: Int) async throws -> Void) async throws {
        let bound = AsyncStream.makeStream(of: Int.self)
        let listener = OriginListener(
            host: "127.0.0.1",
            port: 0,
            offers: offers,
            followers: followers,
            pace: Self.pace,
            logger: Self.logger
        ) { bound.continuation.yield($0) }
        let services = ServiceGroup(services: [listener], logger: Self.logger)
        try await withThrowingTaskGroup { group in
            group.addTask(name: "listener") { try await services.run() }
            var ports = bound.stream.makeAsyncIterator()
            do {
                try await body(#require(await ports.next()))
            } catch {
                await services.triggerGracefulShutdown()
                throw error
            }
            await services.triggerGracefulShutdown()
            try await group.waitForAll()
        }
    }

    /// Follows origins for as long as the body runs.
    func following(
        _ ports: Int...,
        logger: Logger = TreeEdge.logger,
        body: () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup { group in
            for port in ports {
                let address = try #require(ServiceAddress("http://127.0.0.1:\(port)"))
                let follower = OriginFollower(
                    WebOrigin(address),
                    loader,
                    followers: followers,
                    id: id,
                    pace: Self.pace,
                    logger: logger
                )
                group.addTask(name: "follower") { try await follower.run() }
            }
            defer { group.cancelAll() }
            try await body()
        }
    }
}

extension SnapshotBuilder {
    /// As it comes from afar, with a proof where one is given.
    func fetched(_ sequence: Int64, proof: String? = nil) throws -> FetchedSnapshot {
        let snapshot = try snapshot(sequence)
        var bodies: [FileName: [UInt8]] = [:]
        for file in snapshot.files { bodies[file.description.name] = file.body }
        return FetchedSnapshot(
            of: app,
            manifest: snapshot.manifest.bytes,
            signatures: snapshot.manifest.signatures.bytes,
            bodies: bodies,
            proof: proof.map { Array($0.utf8) }
        )
    }
}

/// Whether something holds before a test has lasted too long.
func eventually(_ holds: () async throws -> Bool) async rethrows -> Bool {
    let end = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < end {
        if try await holds() { return true }
        try? await Task.sleep(for: .milliseconds(2))
    }
    return false
}
