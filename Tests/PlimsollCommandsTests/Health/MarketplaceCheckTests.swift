import PlimsollDocuments
import PlimsollDomain
import PlimsollJSON
import PlimsollTestSupport
import Synchronization
import Testing

@testable import PlimsollAPI
@testable import PlimsollCommands

/// What `plimsoll marketplace check` says of marketplaces, good and bad.
@Suite struct MarketplaceCheckTests {
    private func findings(
        _ answer: @escaping (WebRequest) -> WebAnswer?
    ) async throws -> [Finding] {
        let address = try #require(ServiceAddress("https://market.example.com"))
        return await MarketplaceCheck(address, on: []) { request in
            answer(request) ?? usual(request)
        }.findings()
    }

    private func status(_ status: Int) -> WebAnswer {
        WebAnswer(status: status, headers: [], body: [])
    }

    private func usual(_ request: WebRequest) -> WebAnswer {
        if request.method == .head { return status(200) }
        let path = request.url.replacing(/https:\/\/[a-z.]+/, with: "")
        if request.method == .get {
            switch path {
            case "/.well-known/marketplace-kit":
                return json(MarketplaceKit.configuration(marketplace))
            case "/.well-known/oauth-authorization-server":
                guard let server = marketplace.authorization else { return status(404) }
                return json(MarketplaceKit.metadata(server))
            case "/signing.cer", "/encryption.cer":
                return WebAnswer(status: 200, headers: [], body: [0x30, 0x82, 0, 1, 0])
            case let page where page.hasPrefix("/licence?account="): return status(302)
            default: return status(404)
            }
        }
        if request.headers.contains(where: { $0.name == "authorization" }) { return status(403) }
        switch path {
        case "/restore": return json(["restores": [], "failures": []])
        case "/updates": return json(["updates": [], "failures": []])
        case "/licenses", "/renewals": return status(400)
        default: return status(404)
        }
    }

    private func json(_ object: JSONObject) -> WebAnswer {
        WebAnswer(status: 200, headers: [], body: object.canonicalBytes())
    }

    /// With a page for people besides.
    private var marketplace: Marketplace {
        let sample = sampleMarketplace()
        let endpoints = sample.endpoints.with(
            EndpointOverrides(resolution: endpoint("https://market.example.com/licence"))
        )
        return Marketplace(
            item: sample.item,
            domains: sample.domains,
            endpoints: endpoints,
            overrides: sample.overrides,
            authorization: sample.authorization
        )
    }

    private func faults(_ answer: @escaping (WebRequest) -> WebAnswer?) async throws -> [String] {
        try await findings(answer).filter { $0.result == .bad }.map(\.name)
    }

    @Test func `a marketplace as Apple describes it has no fault`() async throws {
        let findings = try await findings { _ in nil }
        #expect(findings.allSatisfy { $0.result != .bad })
        // The configuration, three questions to each of five addresses, two certificates, a page, and
        // the metadata.
        #expect(findings.count { $0.isGood } == 1 + 15 + 2 + 1 + 1)
    }

    @Test(arguments: [301, 302, 401, 403, 404, 500])
    func `a configuration that not everybody gets at once is a fault`(code: Int) async throws {
        let faults = try await faults { request in
            let isKit = request.url.hasSuffix("/marketplace-kit")
            return request.method == .get && isKit ? status(code) : nil
        }
        #expect(faults.count == 4)
    }

    @Test func `one that depends on what is accepted, or has no HEAD, is a fault`() async throws {
        let page = try await faults { request in
            request.headers.contains { $0.value == "text/html" }
                ? WebAnswer(status: 200, headers: [], body: Array("<html>".utf8)) : nil
        }
        #expect(page == ["GET with Accept: text/html"])
        #expect(try await faults { $0.method == .head ? status(405) : nil } == ["HEAD"])
    }

    @Test func `401 is for no token, and 403 for a bad one`() async throws {
        let private401 = try await faults { request in
            guard request.method == .post else { return nil }
            let hasToken = request.headers.contains { $0.name == "authorization" }
            return status(hasToken ? 403 : 401)
        }
        #expect(private401.isEmpty)
        let reversed = try await faults { request in
            guard request.method == .post else { return nil }
            let hasToken = request.headers.contains { $0.name == "authorization" }
            return status(hasToken ? 401 : 403)
        }
        #expect(reversed.count == 15)
    }

    @Test func `a missing app is no missing address`() async throws {
        #expect(try await faults { $0.method == .post ? status(404) : nil }.count == 15)
        #expect(try await faults { $0.method == .post ? status(302) : nil }.count == 15)
    }

    @Test(arguments: [200, 302, 404, 501, 503])
    func `what is no request for licences is refused as such`(code: Int) async throws {
        let faults = try await faults { request in
            let isAsked = request.method == .post && request.url.hasSuffix("/licenses")
            return isAsked ? status(code) : nil
        }
        #expect(Set(faults.map { $0.prefix(16) }) == ["dynamic licences"])
        #expect(faults.count == 3)
    }

    @Test func `a certificate is fetched at once, and is one`() async throws {
        for answer in [status(302), status(404), status(200)] {
            let faults = try await faults { $0.url.hasSuffix("/signing.cer") ? answer : nil }
            #expect(faults == ["signing certificate"])
        }
        let page = try await faults { $0.url.contains("/licence?") ? status(404) : nil }
        #expect(page == ["resolution page"])
    }

    @Test func `metadata may be missing, but leads nowhere else`() async throws {
        let metadata = { (request: WebRequest) in
            request.url.hasSuffix("/oauth-authorization-server")
        }
        #expect(try await faults { metadata($0) ? status(404) : nil } == [])
        for answer in [status(301), status(500), status(200)] {
            let faults = try await faults { metadata($0) ? answer : nil }
            #expect(Set(faults) == ["oauth-authorization-server"])
        }
    }

    @Test func `hosts outside of the domains are asked nothing`() async throws {
        var kit = MarketplaceKit.configuration(marketplace)
        kit["restore"] = "https://elsewhere.example.org/restore"
        kit["license"] = [
            "dynamicLicenseURL": "https://elsewhere.example.org/licenses",
            "signingCertificateURL": "https://elsewhere.example.org/signing.cer",
            "encryptionCertificateURL": "https://elsewhere.example.org/encryption.cer",
            "licenseResolutionURL": "https://elsewhere.example.org/licence",
        ]
        let changed = kit
        let hosts = Mutex<Set<String>>([])
        _ = try await findings { request in
            let host = request.url.split(separator: "/").dropFirst().first.map(String.init)
            hosts.withLock { _ = $0.insert(host ?? "") }
            let isKit = request.url.hasSuffix("/marketplace-kit") && request.method == .get
            return isKit ? json(changed) : nil
        }
        let asked = hosts.withLock { $0 }
        #expect(asked == ["market.example.com", "store.market.example.com"])
    }

    @Test func `who answers nothing is named once`() async throws {
        let address = try #require(ServiceAddress("http://market.example.com"))
        let findings = await MarketplaceCheck(address, on: []) { request in
            throw AdminError(.unreachable("the connection was refused"), url: request.url)
        }.findings()
        #expect(findings.map(\.name) == ["configuration", "GET"])
        #expect(findings.allSatisfy { $0.result == .bad })
    }
}
