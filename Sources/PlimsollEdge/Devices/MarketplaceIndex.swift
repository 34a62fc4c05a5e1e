import PlimsollDocuments
import PlimsollDomain
import PlimsollMarketplace

/// What a table has of marketplaces: what is found on their domains, and where their devices ask.
struct MarketplaceIndex: Sendable {
    /// The most particular first.
    private let domains: [HostIndex]
    private let hosts: [HostIndex]
    /// Where the marketplaces' own apps ask, on any host of a domain.
    private let appHosts: [HostIndex]
    private let routes: [DeviceRoute]

    static let tokenPath = "/marketplace/install-token"

    static let none = MarketplaceIndex([], numbered: [:])

    /// Takes where the resources stand in the table, by their place and their app.
    init(_ marketplaces: [ServedMarketplace], numbered documents: [AppSlug: [(String, Int)]]) {
        let named =
            marketplaces.enumerated()
            .flatMap { number, marketplace in marketplace.domains.map { (number, $0.text) } }
            .sorted { $0.1.utf8.count > $1.1.utf8.count }
        domains = named.map { number, domain in
            HostIndex(domain, PathIndex(documents[marketplaces[number].app] ?? []))
        }
        let places = marketplaces.flatMap(\.places)
        routes =
            places.map(\.route)
            + marketplaces.map { DeviceRoute(address: .installToken, storefront: $0.storefront) }
        appHosts = named.map { number, domain in
            HostIndex(domain, PathIndex([(Self.tokenPath, places.count + number)]))
        }
        var hosts: [String: [(path: String, number: Int)]] = [:]
        for (number, place) in places.enumerated() {
            hosts[place.host, default: []].append((place.path, number))
        }
        self.hosts = hosts.map { HostIndex($0, PathIndex($1)) }
    }

    /// The number of the resource that is found at a path of a marketplace's domain.
    func document(at path: Range<Int>, _ host: Range<Int>, in bytes: Span<UInt8>) -> Int? {
        domains.first { $0.covers(host, in: bytes) }?.index.number(of: path, in: bytes)
    }

    /// What devices ask there.
    func route(at path: Range<Int>, _ host: Range<Int>, in bytes: Span<UInt8>) -> DeviceRoute? {
        let own = hosts.first { $0.isNamed(by: host, in: bytes) }?.index
        let number =
            own?.number(of: path, in: bytes)
            ?? appHosts.first { $0.covers(host, in: bytes) }?.index.number(of: path, in: bytes)
        return number.map { routes[$0] }
    }
}

/// What is asked at an address, and of whom.
struct DeviceRoute: Sendable {
    let address: DeviceAddress
    let storefront: Storefront
}

/// A marketplace as one table has it.
struct ServedMarketplace {
    let app: AppSlug
    let storefront: Storefront

    /// Where on a domain a file of a marketplace is found.
    static let wellKnown = WireFormat.all.compactMap { format in
        format.wellKnownPath.map { (name: format.fileName.text, path: $0) }
    }

    var domains: [DomainName] { storefront.marketplace.domains }

    /// Where its devices ask; of two questions at one address the earlier has it.
    var places: [(host: String, path: String, route: DeviceRoute)] {
        let marketplace = storefront.marketplace
        let all =
            [marketplace.endpoints]
            + marketplace.overrides.map {
                marketplace.endpoints.with($0.endpoints)
            }
        return all.flatMap { endpoints in
            endpoints.asked.map { address, url in
                (url.host, url.path, DeviceRoute(address: address, storefront: storefront))
            }
        }
    }
}

extension MarketplaceEndpoints {
    /// The addresses that devices ask with a body.
    fileprivate var asked: [(DeviceAddress, EndpointURL)] {
        let all: [(DeviceAddress, EndpointURL?)] = [
            (.restore, restore), (.updates, updates), (.dynamicLicense, license.dynamic),
            (.licenseRenewal, license.renewal),
        ]
        return all.compactMap { address, url in url.map { (address, $0) } }
    }
}

extension EndpointURL {
    /// What a request for it names, with its query if there is one.
    var path: String {
        let rest = text.dropFirst("https://".count)
        let path = rest.drop { $0 != "/" && $0 != "?" }
        return path.hasPrefix("/") ? String(path) : "/\(path)"
    }
}
