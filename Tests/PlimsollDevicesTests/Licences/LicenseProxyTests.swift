import Foundation
import Metrics
import PlimsollDevices
import PlimsollDomain
import PlimsollJSON
import PlimsollMarketplace
import PlimsollTestSupport
import Testing

/// Requests for licences, which somebody else opens over a socket.
@Suite(.timeLimit(.minutes(2))) struct LicenseProxyTests {
    private static let license = Data("fake licence".utf8).base64EncodedString()
    private static let good = OutsideStandIn.Behavior.answering(
        body: #"{"license":"\#(license)","unlicensedApps":[],"ineligibleLicenses":[]}"#
    )
    private let envelope = LicenseEnvelope(
        request: Data(repeating: 1, count: 32).base64EncodedString(),
        key: Data(repeating: 7, count: 384).base64EncodedString()
    )

    private func proxy(
        _ address: OutsideAddress?,
        _ change: (inout LicenseProxy.Settings) -> Void = { _ in }
    ) -> LicenseProxy {
        var settings = LicenseProxy.Settings(sidecar: address)
        settings.timeout = OutsideStandIn.timeout
        change(&settings)
        return LicenseProxy(settings, logger: quiet)
    }

    private func request(_ versions: [AppleItemID: UInt64]) -> LicenseRequest {
        LicenseRequest(
            envelope: envelope,
            apps: versions.mapValues { LicenseRequest.App(version: versionID($0), asset: "1f0c") }
        )
    }

    private var ordinary: LicenseRequest { request([sampleListing().item: 878_123_456_789]) }

    private func licenses(
        _ proxy: LicenseProxy,
        _ request: LicenseRequest? = nil,
        at now: Instant = testNow
    ) async -> LicenseOutcome {
        await proxy.licenses(
            for: request ?? ordinary,
            account: "person-1",
            in: sampleStorefront(),
            at: now
        )
    }

    private func renewals(_ proxy: LicenseProxy) async -> LicenseOutcome {
        await proxy.renewals(
            for: RenewalRequest(envelope: envelope),
            account: nil,
            in: sampleStorefront(),
            at: testNow
        )
    }

    private func answered(_ json: JSONObject) -> LicenseOutcome {
        .answered(json.canonicalBytes())
    }

    @Test func `a request goes on as it came, with what was decided of it`() async throws {
        try await OutsideStandIn.with(Self.good) { service in
            let listed = sampleListing().item
            let outcome = await licenses(
                proxy(service.address),
                request([listed: 878_123_456_789, item(9): 1])
            )
            let expected: JSONObject = [
                "license": .string(Self.license), "unlicensedApps": ["9"],
            ]
            #expect(outcome == answered(expected))

            let asked = try #require(service.asked.first)
            #expect(asked.method == "POST")
            #expect(asked.path == "/service/licenses")
            let question = try JSONValue(parsing: asked.body)
            let version: JSONValue = ["appleVersionId": "878123456789", "assetPublicId": "1f0c"]
            let apps: JSONValue = [
                "10737747186": version, "9": ["appleVersionId": "1", "assetPublicId": "1f0c"],
            ]
            #expect(
                question == [
                    "marketplace": "6497405838", "account": "person-1",
                    "licenseRequest": .string(envelope.request),
                    "licenseKey": .string(envelope.key), "appsById": apps,
                    "unlicensedApps": ["9"],
                    "policy": ["listed": ["10737747186"], "withdrawn": ["10737747186": ["7"]]],
                ]
            )
        }
    }

    @Test func `a renewal goes on with what may still be licensed`() async throws {
        let body = #"{"license":"\#(Self.license)","ineligibleLicenses":["18446744073709551615"]}"#
        try await OutsideStandIn.with(.answering(body: body)) { service in
            let expected: JSONObject = [
                "license": .string(Self.license),
                "ineligibleLicenses": ["18446744073709551615"],
            ]
            #expect(await renewals(proxy(service.address)) == answered(expected))
            let asked = try #require(service.asked.first)
            #expect(asked.path == "/service/renewals")
            let question = try JSONValue(parsing: asked.body)
            #expect(question["policy"]?["withdrawn"] == ["10737747186": ["7"]])
            #expect(question["account"] == nil)
        }
    }

    @Test func `what nobody else knows stays out of the answer, and who is refused stays refused`()
        async throws
    {
        let listed = sampleListing().item
        let body =
            #"{"license":"\#(Self.license)","unlicensedApps":["10737747186"],"secret":"pask"}"#
        try await OutsideStandIn.with(.answering(body: body)) { service in
            let outcome = await licenses(proxy(service.address), request([listed: 7, item(9): 1]))
            let expected: JSONObject = [
                "license": .string(Self.license), "unlicensedApps": ["9", "10737747186"],
            ]
            #expect(outcome == answered(expected))
        }
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"license":"","unlicensedApps":[]}"#, #"{"license":"?"}"#,
        #"{"license":"AAAA"}"#, #"{"license":"AAAA","unlicensedApps":"9"}"#,
        #"{"license":"AAAA","unlicensedApps":[9]}"#, #"{"license":"AAAA","unlicensedApps":["x"]}"#,
        #"{"license":"AAAA","unlicensedApps":["404"]}"#, "<html>",
    ])
    func `an answer that is none is not passed on`(body: String) async throws {
        try await OutsideStandIn.with(.answering(body: body)) { service in
            #expect(await licenses(proxy(service.address)) == .away)
        }
    }

    @Test(arguments: 0..<6)
    func `a service that is of no help is away`(_ number: Int) async throws {
        let behaviors: [OutsideStandIn.Behavior] = [
            .silent, .dripping, .huge, .redirecting(to: "http://127.0.0.1:1/"),
            .answering(status: 500, body: "{}"), .answering(status: 401, body: "{}"),
        ]
        try await OutsideStandIn.with(behaviors[number]) { service in
            let proxy = proxy(service.address) { $0.timeout = OutsideStandIn.silence }
            #expect(await licenses(proxy) == .away)
            #expect(await renewals(proxy) == .away)
        }
        let dead = proxy(try deadAddress())
        #expect(await licenses(dead) == .away)
    }

    @Test func `a request that cannot be opened is the device's fault, and nobody's else`()
        async throws
    {
        try await OutsideStandIn.with(.answering(status: 422, body: "{}")) { service in
            let proxy = proxy(service.address)
            for _ in 1...10 { #expect(await licenses(proxy) == .rejected) }
            #expect(service.asked.count == 10)
        }
    }

    @Test func `a service that fails is left alone for a while`() async throws {
        let notebook = MetricsNotebook()
        try await withMetricsFactory(notebook) {
            try await OutsideStandIn.with(.answering(status: 503, body: "")) { service in
                let proxy = proxy(service.address)
                for _ in 1...20 { #expect(await licenses(proxy) == .away) }
                #expect(service.asked.count == 5)
                service.change(to: Self.good)
                let later = testNow.advanced(by: .seconds(11))
                guard case .answered = await licenses(proxy, at: later) else {
                    Issue.record("it is asked again")
                    return
                }
            }
        }
        let series = "plimsoll.devices.licenses kind=licenses"
        #expect(notebook["\(series) outcome=away"] == 20)
        #expect(notebook["\(series) outcome=answered"] == 1)
    }

    @Test func `so many requests are under way, and no more`() async throws {
        try await OutsideStandIn.with(.silent) { service in
            let proxy = proxy(service.address) {
                ($0.questionsMaximum, $0.timeout) = (3, OutsideStandIn.silence)
            }
            await withTaskGroup(of: LicenseOutcome.self) { group in
                for _ in 1...20 { group.addTask { await licenses(proxy) } }
                for await outcome in group { #expect(outcome == .away) }
            }
            #expect(service.asked.count <= 6)
        }
    }

    @Test func `where nobody makes licences it is said`() async {
        #expect(await licenses(proxy(nil)) == .unconfigured)
        #expect(await renewals(proxy(nil)) == .unconfigured)
    }
}
