import FoundationEssentials
import Logging
package import PlimsollAPI
import PlimsollDomain
import PlimsollEdge
import PlimsollSystem
package import PlimsollPublishing
import ServiceLifecycle

/// Where an edge has its snapshots from.
package enum EdgeSource: Sendable {
    /// An export folder, by its absolute path.
    case folder(String)
    case store(StorePlace)
    /// Another edge.
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

    var folder: Path? {
        if case .folder(let path) = self { Path(path) } else { nil }
    }

    /// What keeps the edge at what is published there.
    func watcher(
        _ loader: SnapshotLoader,
        trusting authorities: AuthoritiesFile?,
        logger: Logger
    ) -> any Service {
        switch self {
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
            OriginWatcher(
                WebOrigin(address) { try authorities?.read() },
                loader,
                logger: logger
            )
        }
    }
}
