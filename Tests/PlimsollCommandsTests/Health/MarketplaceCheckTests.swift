import PlimsollDocuments
import PlimsollDomain
import PlimsollJSON
import PlimsollTestSupport
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
        if request.method == .get {
            let json = MarketplaceKit.configuration(sampleMarketplace())
            return WebAnswer(status: 200, headers: [], body: json.canonicalBytes())
        }
        if request.headers.contains(where: { $0.name == "authorization" }) { return status(403) }
        let list = request.url.hasSuffix("updates") ? "updates" : "restores"
        return WebAnswer(
            status: 200,
            headers: [],
            body: Array(#"{"\#(list)":[],"failures":[]}"#.utf8)
        )
    }

    private func faults(_ answer: @escaping (WebRequest) -> WebAnswer?) async throws -> [String] {
        try await findings(answer).filter { $0.result == .bad }.map(\.name)
    }

    @Test func `a marketplace as Apple describes it has no fault`() async throws {
        let findings = try await findings { _ in nil }
        #expect(findings.allSatisfy { $0.result != .bad })
        // The configuration, and three questions to each of three addresses.
        #expect(findings.count { $0.isGood } == 10)
    }

    @Test(arguments: [301, 302, 401, 403, 404, 500])
    func `a configuration that not everybody gets at once is a fault`(code: Int) async throws {
        let faults = try await faults { $0.method == .get ? status(code) : nil }
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
        #expect(reversed.count == 9)
    }

    @Test func `a missing app is no missing address`() async throws {
        #expect(try await faults { $0.method == .post ? status(404) : nil }.count == 9)
        #expect(try await faults { $0.method == .post ? status(302) : nil }.count == 9)
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
