import Logging
import PlimsollAPI
import PlimsollEdge
import PlimsollOrigin
import ServiceLifecycle

/// What connects an edge with those above and below it.
struct EdgeLinks {
    private let followers: FollowingEdges
    private let id = EdgeID()
    private let listener: OriginListener?
    private let address: ListenAddress?
    private let logger: Logger

    /// Takes where edges below are answered; `nil` for nowhere.
    init(of name: String, answeringAt address: ListenAddress?, logger: Logger) {
        let followers = FollowingEdges(name: name)
        listener = address.map { address in
            OriginListener(
                host: address.host,
                port: address.port,
                offers: SnapshotOffers(),
                followers: followers,
                logger: logger
            )
        }
        (self.followers, self.address, self.logger) = (followers, address, logger)
    }

    /// Who is told what edges below may fetch.
    var offer: (@Sendable ([OfferedSnapshot]) -> Void)? { listener?.offers.offer }

    /// What those below say, and this one.
    var report: EdgeReport {
        listener.map { followers.summary(serving: $0.offers.sequences) } ?? .ofNobody
    }

    /// Answers edges below.
    var answering: [any Service] {
        guard let listener, let address else { return [] }
        return [listener.named(.origin, address)]
    }

    /// Follows those above.
    func following(
        _ sources: [EdgeSource],
        _ loader: SnapshotLoader,
        trusting authorities: AuthoritiesFile?
    ) -> [any Service] {
        sources.map { source in
            source.watcher(
                loader,
                followers: followers,
                id: id,
                trusting: authorities,
                logger: logger
            )
        }
    }
}
