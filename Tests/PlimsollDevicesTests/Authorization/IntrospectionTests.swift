import Foundation
import Metrics
import PlimsollDevices
import PlimsollDomain
import PlimsollMarketplace
import PlimsollTestSupport
import Testing

/// Tokens that somebody else knows, who is asked over a socket.
@Suite(.timeLimit(.minutes(2))) struct IntrospectionTests {
    private static let seconds = testNow.millisecondsSince1970 / 1000
    private static let active = OutsideStandIn.Behavior.answering(
        body: #"{"active":true,"sub":"person-1","exp":\#(seconds + 3600)}"#
    )

    private func authorizer(
        _ address: OutsideAddress,
        _ change: (inout Introspection.Settings) -> Void = { _ in }
    ) throws -> MarketplaceAuthorizer {
        let client = try #require(ClientCredentials(id: "market:1", secret: "s e/c"))
        var settings = Introspection.Settings(address, as: client)
        settings.timeout = OutsideStandIn.timeout
        change(&settings)
        return MarketplaceAuthorizer(.introspection(Introspection(settings, logger: quiet)))
    }

    @Test func `a question is a form, from a client that says who it is`() async throws {
        try await OutsideStandIn.with(Self.active) { service in
            let authorizer = try authorizer(service.address)
            #expect(await settled(authorizer, "a+b/c==") == "granted person-1")
            let asked = try #require(service.asked.first)
            #expect(asked.method == "POST")
            #expect(asked.path == "/service")
            #expect(asked.headers["content-type"] == "application/x-www-form-urlencoded")
            #expect(asked.text == "token=a%2Bb%2Fc%3D%3D&token_type_hint=access_token")
            let pair = Data("market%3A1:s%20e%2Fc".utf8).base64EncodedString()
            #expect(asked.headers["authorization"] == "Basic \(pair)")
        }
    }

    @Test func `without a token nobody is asked`() async throws {
        try await OutsideStandIn.with(Self.active) { service in
            let authorizer = try authorizer(service.address)
            #expect(await settled(authorizer, nil) == "missing")
            #expect(await settled(authorizer, "a b") == "refused")
            #expect(await settled(authorizer, String(repeating: "a", count: 8193)) == "refused")
            #expect(service.asked.isEmpty)
        }
    }

    @Test(arguments: [
        #"{"active":false}"#, #"{"active":false,"sub":"person-1"}"#,
        #"{"active":true,"exp":\#(seconds - 31)}"#, #"{"active":true,"nbf":\#(seconds + 31)}"#,
        #"{"active":true,"aud":"other"}"#, #"{"active":true}"#,
        #"{"active":true,"aud":"market","exp":"soon"}"#,
    ])
    func `a token that is not active, not for now or not for this service is refused`(
        body: String
    ) async throws {
        try await OutsideStandIn.with(.answering(body: body)) { service in
            let authorizer = try authorizer(service.address) { $0.audience = "market" }
            #expect(await settled(authorizer, "t") == "refused")
        }
    }

    @Test(arguments: 0..<10)
    func `a server that is of no help lets nobody in, and holds nobody up`(
        _ number: Int
    ) async throws {
        let behaviors: [OutsideStandIn.Behavior] = [
            .silent, .dripping, .huge, .redirecting(to: "http://127.0.0.1:1/"),
            .answering(status: 500, body: #"{"active":true}"#),
            .answering(status: 401, body: #"{"active":true}"#),
            .answering(type: "text/html", body: "<html>"), .answering(body: ""),
            .answering(body: #"{"active":"true"}"#), .answering(body: #"[{"active":true}]"#),
        ]
        try await OutsideStandIn.with(behaviors[number]) { service in
            let authorizer = try authorizer(service.address) {
                $0.timeout = OutsideStandIn.silence
            }
            #expect(await settled(authorizer, "t") == "unavailable")
            try await service.whenAsked()
            #expect(service.asked.count == 1)
            let open = authorizer.decide(
                bearer: "t",
                asking: sampleMarketplace(),
                at: testNow
            )
            #expect(open.text == "granted -")
        }
    }

    @Test func `a dead server lets nobody in`() async throws {
        let authorizer = try authorizer(deadAddress())
        let notebook = MetricsNotebook()
        await withMetricsFactory(notebook) {
            #expect(await settled(authorizer, "t") == "unavailable")
        }
        #expect(notebook["plimsoll.devices.introspections outcome=unavailable"] == 1)
    }

    @Test func `an answer counts for a minute, and not beyond the token's end`() async throws {
        try await OutsideStandIn.with(Self.active) { service in
            let authorizer = try authorizer(service.address)
            #expect(await settled(authorizer, "t") == "granted person-1")
            service.change(to: .answering(body: #"{"active":false}"#))
            let soon = testNow.advanced(by: .seconds(59))
            #expect(await settled(authorizer, "t", at: soon) == "granted person-1")
            #expect(service.asked.count == 1)
            let later = testNow.advanced(by: .seconds(60))
            #expect(await settled(authorizer, "t", at: later) == "refused")
            #expect(service.asked.count == 2)

            let short = #"{"active":true,"exp":\#(Self.seconds + 10)}"#
            service.change(to: .answering(body: short))
            #expect(await settled(authorizer, "u") == "granted -")
            let ended = testNow.advanced(by: .seconds(10))
            service.change(to: .answering(body: #"{"active":false}"#))
            #expect(await settled(authorizer, "u", at: ended) == "refused")
        }
    }

    @Test func `a token that was refused is asked about again soon`() async throws {
        let notebook = MetricsNotebook()
        try await withMetricsFactory(notebook) {
            try await OutsideStandIn.with(.answering(body: #"{"active":false}"#)) { service in
                let authorizer = try authorizer(service.address)
                #expect(await settled(authorizer, "t") == "refused")
                #expect(await settled(authorizer, "t") == "refused")
                #expect(service.asked.count == 1)
                service.change(to: Self.active)
                let soon = testNow.advanced(by: .seconds(5))
                #expect(await settled(authorizer, "t", at: soon) == "granted person-1")
            }
        }
        #expect(notebook["plimsoll.devices.introspections outcome=refused"] == 1)
        #expect(notebook["plimsoll.devices.introspections outcome=granted"] == 1)
    }

    @Test func `many with the same token ask once`() async throws {
        try await OutsideStandIn.with(Self.active) { service in
            let authorizer = try authorizer(service.address)
            await withTaskGroup(of: String.self) { group in
                for _ in 1...50 { group.addTask { await settled(authorizer, "t") } }
                for await outcome in group { #expect(outcome == "granted person-1") }
            }
            #expect(service.asked.count == 1)
        }
    }

    @Test func `so many questions are under way, and no more`() async throws {
        try await OutsideStandIn.with(.silent) { service in
            let authorizer = try authorizer(service.address) {
                ($0.questionsMaximum, $0.timeout) = (3, OutsideStandIn.silence)
            }
            await withTaskGroup(of: String.self) { group in
                for number in 1...20 { group.addTask { await settled(authorizer, "t\(number)") } }
                for await outcome in group { #expect(outcome == "unavailable") }
            }
            #expect(service.asked.count <= 6)
        }
    }

    @Test func `a server that fails is left alone for a while, and then asked once`() async throws {
        try await OutsideStandIn.with(.answering(status: 503, body: "")) { service in
            let authorizer = try authorizer(service.address)
            for number in 1...20 {
                #expect(await settled(authorizer, "t\(number)") == "unavailable")
            }
            #expect(service.asked.count == 5)
            let later = testNow.advanced(by: .seconds(11))
            for number in 1...5 {
                #expect(await settled(authorizer, "u\(number)", at: later) == "unavailable")
            }
            #expect(service.asked.count == 6)
            service.change(to: Self.active)
            let back = later.advanced(by: .seconds(11))
            #expect(await settled(authorizer, "t", at: back) == "granted person-1")
            #expect(await settled(authorizer, "u", at: back) == "granted person-1")
        }
    }

    @Test func `what was found by a clock that was ahead is forgotten once it is set back`()
        async throws
    {
        let ahead = testNow.advanced(by: .seconds(21_600))
        try await OutsideStandIn.with(.answering(body: #"{"active":false}"#)) { service in
            let authorizer = try authorizer(service.address)
            #expect(await settled(authorizer, "t", at: ahead) == "refused")
            service.change(to: .answering(status: 503, body: ""))
            for number in 1...6 {
                #expect(await settled(authorizer, "t\(number)", at: ahead) == "unavailable")
            }
            service.change(to: Self.active)
            #expect(await settled(authorizer, "t") == "granted person-1")
            #expect(await settled(authorizer, "t1") == "granted person-1")
        }
    }

    @Test func `where nothing knows of tokens, none is good enough`() async {
        let authorizer = MarketplaceAuthorizer(.none)
        #expect(await settled(authorizer, nil) == "missing")
        #expect(await settled(authorizer, "t") == "refused")
        let open = authorizer.decide(
            bearer: nil,
            asking: sampleMarketplace(),
            at: testNow
        )
        #expect(open.text == "granted -")
    }

    @Test(arguments: [
        "", "login.example.com", "http://login.example.com/introspect", "ftp://127.0.0.1/",
        "https://user@login.example.com/", "https://login.example.com/?a=b",
        "https://login.example.com/#a", "http://127.0.0.1.example.com/", "https://",
    ])
    func `tokens are not sent to what is no safe address`(text: String) {
        #expect(OutsideAddress(text) == nil)
    }
}
