import Logging
import PlimsollAPI
import PlimsollDocuments
import PlimsollEdge
import PlimsollOrigin
import PlimsollPublishing

/// An edge as other edges see it.
final class TreeEdge: Sendable {
    let loader: SnapshotLoader
    private let offers = SnapshotOffers()
    private let followers = FollowingEdges(name: "edge")
    private let id = EdgeID()

    private static let logger = Logger(label: "edge") { _ in SwiftLogNoOpLogHandler() }

    init(
        trusting keys: TrustedKeys,
        telling tell: @escaping @Sendable ([OfferedSnapshot]) -> Void
    ) {
        let edge = EdgeService(EdgeConfiguration(port: 0, threads: 1), logger: Self.logger)
        var settings = SnapshotLoader.Settings(export: nil)
        settings.offer = { [offers] snapshots in
            tell(snapshots)
            offers.offer(snapshots)
        }
        loader = SnapshotLoader(settings, trusting: keys, edge: edge, logger: Self.logger)
    }

    func listen(
        in group: inout ThrowingDiscardingTaskGroup<any Error>
    ) async throws
        -> ServiceAddress
    {
        let bound = AsyncStream.makeStream(of: Int.self)
        let listener = OriginListener(
            host: "127.0.0.1",
            port: 0,
            offers: offers,
            followers: followers,
            logger: Self.logger
        ) { bound.continuation.yield($0) }
        group.addTask(name: "listener") { try await listener.run() }
        var ports = bound.stream.makeAsyncIterator()
        let port = try known(await ports.next(), "a port")
        return try known(ServiceAddress("http://127.0.0.1:\(port)"), "an address")
    }

    func follow(
        _ address: ServiceAddress,
        in group: inout ThrowingDiscardingTaskGroup<any Error>
    ) {
        let follower = OriginFollower(
            WebOrigin(address),
            loader,
            followers: followers,
            id: id,
            logger: Self.logger
        )
        group.addTask(name: "follower") { try await follower.run() }
    }
}
