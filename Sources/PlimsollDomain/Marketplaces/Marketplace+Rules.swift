import PlimsollJSON

/// What is wrong with a marketplace, or with what is said of one.
package enum MarketplaceFault: Equatable, Sendable {
    /// Devices trust an address only where its host belongs to the marketplace.
    case hostElsewhere(String, [DomainName])
    case intervalTooShort(Int64)
    /// Nobody could tell what is asked there.
    case addressShared(EndpointURL, with: String)
    /// Something else is served there.
    case addressTaken(EndpointURL)
    case overrideEmpty(AppleItemID)
    /// It is recorded in one event.
    case tooLarge(bytes: Int)
}

/// What is allowed and probably meant otherwise.
package enum MarketplaceWarning: Equatable, Sendable {
    /// Devices ask once a day whatever is said.
    case intervalWithoutEffect(Int64)
    case intervalInSeconds(Int64)
    /// Without it no licence is renewed, and none is taken back.
    case renewalMissing
}

extension MarketplaceFault {
    package var sentence: String {
        switch self {
        case .hostElsewhere(let host, let domains):
            "\(host) does not belong to a registered domain of the marketplace:"
                + " \(domains.map(\.text).joined(separator: ", "))."
        case .intervalTooShort(let hours):
            "A polling interval is a number of hours from 1 on, and this is \(hours)."
        case .addressShared(let url, let other):
            "\(url) is the address of \(other) as well; each question needs an address of its own."
        case .addressTaken(let url):
            "\(url) is an address at which Plimsoll serves something else; take another one."
        case .overrideEmpty(let item):
            "Nothing is other for \(item); leave it out, or say what is."
        case .tooLarge(let bytes):
            "The marketplace takes \(bytes) bytes, and may take \(Marketplace.weightMaximum); shorten its"
                + " addresses, or leave overrides out."
        }
    }
}

extension MarketplaceWarning {
    package var sentence: String {
        switch self {
        case .intervalWithoutEffect(let hours):
            "A polling interval of \(hours) hours has no effect: devices ask once in 24 hours at most."
        case .intervalInSeconds(let hours):
            "A polling interval of \(hours) hours is \(hours / 24) days; it is given in hours, not in"
                + " seconds."
        case .renewalMissing:
            "Without an address for renewals no licence is renewed, and none can be taken back."
        }
    }
}

extension Marketplace {
    package static let domainsMaximum = 20
    package static let overridesMaximum = 100
    /// Leaves room in an entry of 65 535 bytes for what stands around it.
    static let weightMaximum = 40_000

    /// What is wrong with it, whatever else there is; all of it at once.
    ///
    /// By the original rules two questions could have one address.
    func objections(under strictness: Strictness) -> [Objection] {
        let pointer = Pointer("/domains")
        var objections: [Objection] = domains.isEmpty ? [.listEmpty(at: pointer)] : []
        if domains.count > Self.domainsMaximum {
            objections.append(.listTooLong(maximum: Self.domainsMaximum, at: pointer))
        }
        for (index, domain) in domains.enumerated()
        where domains.firstIndex(of: domain) != index {
            objections.append(.repeated(domain.text, at: pointer.appending(index)))
        }
        if overrides.count > Self.overridesMaximum {
            objections.append(.listTooLong(maximum: Self.overridesMaximum, at: "/overrides"))
        }
        var items: Set<AppleItemID> = []
        for (override, place) in overridesInPlace where !items.insert(override.item).inserted {
            objections.append(.repeated(override.item.text, at: place.appending("item")))
        }
        let faults = faults + (strictness != .original ? faultsOfQuestions : [])
        return objections + faults.map { .marketplaceRefused($0.fault, at: $0.pointer) }
    }

    /// What is not refused, and worth a second look.
    package var warnings: [MarketplaceWarning] {
        let all = [endpoints] + overrides.map { endpoints.with($0.endpoints) }
        let intervals = Set(all.map(\.pollingInterval)).sorted()
        return intervals.filter { $0 < 24 }.map(MarketplaceWarning.intervalWithoutEffect)
            + intervals.filter { $0 > 720 }.map(MarketplaceWarning.intervalInSeconds)
            + (all.contains { $0.license.renewal == nil } ? [.renewalMissing] : [])
    }

    private var faults: [(fault: MarketplaceFault, pointer: Pointer)] {
        var faults: [(MarketplaceFault, Pointer)] = hosts.compactMap { host, pointer in
            domains.contains { $0.covers(host) }
                ? nil : (.hostElsewhere(host, domains), pointer)
        }
        for (interval, pointer) in intervals where interval < 1 {
            faults.append((.intervalTooShort(interval), pointer))
        }
        for (override, place) in overridesInPlace
        where override.endpoints == EndpointOverrides() {
            faults.append((.overrideEmpty(override.item), place))
        }
        let weight = data.canonicalBytes().count
        if weight > Self.weightMaximum { faults.append((.tooLarge(bytes: weight), "/overrides")) }
        return faults
    }

    /// A request is told by its address alone, those of overrides included.
    private var faultsOfQuestions: [(fault: MarketplaceFault, pointer: Pointer)] {
        var names: [EndpointURL: String] = [:]
        return questions.compactMap { name, url, pointer in
            if url.isTaken { return (.addressTaken(url), pointer) }
            let other = names[url, default: name]
            names[url] = other
            return other == name ? nil : (.addressShared(url, with: other), pointer)
        }
    }

    private var questions: [(name: String, url: EndpointURL, pointer: Pointer)] {
        let all =
            endpoints.addresses.map { ($0.name, $0.url, Pointer("").appending($0.name)) }
            + overridesInPlace.flatMap { override, place in
                override.endpoints.addresses.map { ($0.name, $0.url, place.appending($0.name)) }
            }
        return all.filter { Self.asked.contains($0.0) }
    }

    /// What devices ask with `POST`.
    private static let asked: Set = ["restore", "updates", "dynamicLicense", "licenseRenewal"]

    private var overridesInPlace: [(ItemOverrides, Pointer)] {
        overrides.enumerated().map { ($1, Pointer("/overrides").appending($0)) }
    }

    private var intervals: [(Int64, Pointer)] {
        [(endpoints.pollingInterval, "/pollingInterval")]
            + overridesInPlace.compactMap { override, place in
                override.endpoints.pollingInterval.map { ($0, place.appending("pollingInterval")) }
            }
    }

    /// The host of each address, and where it is said.
    private var hosts: [(String, Pointer)] {
        var hosts = endpoints.addresses.map { ($0.url.host, Pointer("").appending($0.name)) }
        for (override, place) in overridesInPlace {
            hosts += override.endpoints.addresses.map { ($0.url.host, place.appending($0.name)) }
        }
        if let authorization {
            let place = Pointer("/authorization")
            hosts += authorization.addresses.map { ($0.url.host, place.appending($0.name)) }
        }
        if let landingPage { hosts.append((landingPage.host, "/landingPage")) }
        return hosts
    }
}

extension MarketplaceEndpoints {
    fileprivate var addresses: [(name: String, url: EndpointURL)] {
        EndpointOverrides(
            restore: restore,
            updates: updates,
            dynamic: license.dynamic,
            renewal: license.renewal,
            resolution: license.resolution,
            signingCertificate: license.signingCertificate,
            encryptionCertificate: license.encryptionCertificate
        ).addresses
    }
}

extension EndpointOverrides {
    /// Those that are said, under the names by which people say them.
    fileprivate var addresses: [(name: String, url: EndpointURL)] {
        [
            ("restore", restore), ("updates", updates), ("dynamicLicense", dynamic),
            ("licenseRenewal", renewal), ("licenseResolution", resolution),
            ("signingCertificate", signingCertificate),
            ("encryptionCertificate", encryptionCertificate),
        ].compactMap { name, url in url.map { (name, $0) } }
    }
}

extension AuthorizationServer {
    fileprivate var addresses: [(name: String, url: EndpointURL)] {
        [("issuer", issuer), ("authorization", authorization), ("token", token)]
    }
}

extension EndpointURL {
    /// Whether devices are served something else there, whatever a marketplace says.
    fileprivate var isTaken: Bool {
        let path = text.drop { $0 != ":" }.dropFirst(3).drop { $0 != "/" }
        return path == "/marketplace/install-token" || path.hasPrefix("/.well-known/")
            || path.hasPrefix("/distribution/")
    }
}
