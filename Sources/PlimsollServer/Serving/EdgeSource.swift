import FoundationEssentials
import Logging
package import PlimsollAPI
import PlimsollDomain
import PlimsollEdge
import PlimsollOrigin
package import PlimsollPublishing
import PlimsollSystem
import ServiceLifecycle

/// Where an edge has its snapshots from.
package enum EdgeSource: Sendable {
    /// An export folder, by its absolute path.
    case folder(String)
    case store(StorePlace)
    /// Another edge, or a service where it answers edges.
    case web(ServiceAddress)

    package static let grammar =
        "an export folder, \(StoreAddress.grammar), or \(ServiceAddress.grammar)"

    /// Takes what an operator named, a folder by its absolute path; `nil` for an address that is
    /// none.
    package init?(_ text: String, environment: [String: String]) {
        if text.hasPrefix("s3://") {
            guard
                let address = StoreAddress(text),
                let place = StorePlace(address, environment: environment)
            else { return nil }
            self = .store(place)
        } else if text.contains("://") {
            guard let address = ServiceAddress(text) else { return nil }
            self = .web(address)
        } else {
            self = .folder(text)
        }
    }

    /// Whether it is asked over TLS, where alone the word of an authority counts.
    package var isSecure: Bool {
        switch self {
        case .folder: false
        case .store(let place): place.isSecure
        case .web(let address): address.text.lowercased().hasPrefix("https://")
        }
    }

    package var isFolder: Bool { folder != nil }

    var folder: Path? {
        if case .folder(let path) = self { Path(path) } else { nil }
    }

    /// Says of every line which of several sources it is about.
    func naming(_ logger: Logger) -> Logger {
        var logger = logger
        logger[metadataKey: "origin.address"] =
            switch self {
            case .folder(let path): "\(path)"
            case .store(let place): "\(place.address)"
            case .web(let address): "\(address.text)"
            }
        return logger
    }

    /// What keeps the edge at what is published there.
    func watcher(
        _ loader: SnapshotLoader,
        followers: FollowingEdges,
        id: EdgeID,
        trusting authorities: AuthoritiesFile?,
        logger: Logger
    ) -> any Service {
        let logger = naming(logger)
        return switch self {
        case .folder: ExportWatcher(loader, logger: logger)
        case .store(let place):
            OriginWatcher(
                StoreOrigin(
                    place,
                    trusting: { try authorities?.read() },
                    now: { Instant(Date.now) }
                ),
                loader,
                logger: logger
            )
        case .web(let address):
            OriginFollower(
                WebOrigin(address) { try authorities?.read() },
                loader,
                followers: followers,
                id: id,
                logger: logger
            )
        }
    }
}

/// By what name other edges and operators know an edge.
package enum EdgeName {
    package static let grammar = EdgeReport.nameGrammar

    package static func isAllowed(_ text: String) -> Bool { EdgeReport.isName(text) }

    /// The machine's name with the port that phones ask.
    static func usual(_ address: ListenAddress) -> String {
        let name = "\(ProcessInfo.processInfo.hostName):\(address.port)"
        return isAllowed(name) ? name : "edge:\(address.port)"
    }
}
