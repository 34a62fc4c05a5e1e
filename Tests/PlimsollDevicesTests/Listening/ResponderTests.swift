import Foundation
import Logging
import PlimsollDomain
import PlimsollEdge
import PlimsollJSON
import PlimsollMarketplace
import PlimsollTestSupport
import Synchronization
import Testing

@testable import PlimsollDevices

/// What devices are answered, whatever they send.
@Suite(.timeLimit(.minutes(5))) struct ResponderTests {
    // MARK: Answers

    @Test func `a restore says where the package is, with a token for it`() async throws {
        try await RunningResponder.with { running in
            let reply = await running.answer(.restore, asking())
            #expect(reply.status == .ok && reply.mediaType == "application/json")
            let members = Set(try reply.json.keys)
            #expect(members == ["restores", "failures"])
            #expect(try reply.list("failures").isEmpty)
            let offer = try #require(try reply.list("restores").first)
            #expect(
                Set(offer.keys) == [
                    "appleItemId", "appleVersionId", "alternativeDistributionPackage",
                    "installVerificationToken", "appShareURL",
                ]
            )
            #expect(offer["appleItemId"]?.string == "10737747186")
            #expect(offer["appleVersionId"]?.string == "878123456789")
            let folder = "https://market.example.com/packages/878123456789/"
            #expect(offer["alternativeDistributionPackage"]?.string == folder)
            let page = "https://market.example.com/apps/10737747186"
            #expect(offer["appShareURL"]?.string == page)
            let token = try #require(offer["installVerificationToken"]?.string)
            #expect(try TakenApart(token).isSigned(by: running.key))
        }
    }

    @Test func `an update says its version too, and nothing newer is nothing`() async throws {
        try await RunningResponder.with { running in
            let newer = await running.answer(.updates, asking([("10737747186", "5")]))
            let offer = try #require(try newer.list("updates").first)
            #expect(offer["bundleVersion"]?.string == "412")
            #expect(offer["shortVersionString"]?.string == "3.2.0")
            let current = await running.answer(.updates, asking())
            #expect(try current.list("updates").isEmpty)
            #expect(try current.list("failures").isEmpty)
        }
    }

    @Test func `what cannot be had is told with 200, and why`() async throws {
        try await RunningResponder.with { running in
            let reply = await running.answer(
                .restore,
                asking([("1", "5"), ("10737747186", "7"), ("10737747186", "878123456789")])
            )
            #expect(reply.status == .ok)
            #expect(try reply.list("restores").count == 1)
            let failures = try reply.list("failures")
            #expect(failures.map { $0["appleItemId"]?.string } == ["1", "10737747186"])
            for failure in failures {
                #expect(failure["failure"]?.object?["code"]?.integer == 404)
                #expect(failure["failure"]?.object?["description"]?.string?.isEmpty == false)
            }
        }
    }

    // Goal: what takes long is no thread's of the listener, and each token is another. Method: a
    // request for as many apps as may be.
    @Test func `a thousand apps get a thousand tokens, later`() async throws {
        try await RunningResponder.with { running in
            let apps = (1...1000).map { (item: "\($0)", version: "\($0)") }
            let post = DevicePost(
                .restore,
                of: largeStorefront(1000),
                body: Array(asking(apps).utf8)
            )
            let reply = await running.answer(post)
            let offers = try reply.list("restores")
            #expect(offers.count == 1000)
            var nonces: Set<String> = []
            for offer in offers {
                let token = try TakenApart(#require(offer["installVerificationToken"]?.string))
                #expect(token.isSigned(by: running.key))
                #expect(try token.members["iid"] as? String == offer["appleItemId"]?.string)
                nonces.insert(try #require(try token.members["nonce"] as? String))
            }
            #expect(nonces.count == 1000)
        }
    }

    // MARK: Refusals

    @Test(
        arguments: [
            (DeviceAuthorization.missing, AnswerStatus.unauthorized, "Bearer"),
            (.refused, .forbidden, nil), (.unavailable, .unavailable, nil),
            (.later { .missing }, .unauthorized, "Bearer"), (.later { .refused }, .forbidden, nil),
            (.later { .later { .unavailable } }, .unavailable, nil),
            (.later { .granted(account: "a") }, .ok, nil),
        ] as [(DeviceAuthorization, AnswerStatus, String?)]
    )
    func `who may not ask is told so before anything else`(
        decision: DeviceAuthorization,
        status: AnswerStatus,
        challenge: String?
    ) async throws {
        try await RunningResponder.with(decision) { (running) async throws in
            for address in [DeviceAddress.restore, .updates] {
                let reply = await running.answer(address, asking())
                #expect(reply.status == status)
                #expect(reply.challenge == challenge)
                guard status != .ok else { continue }
                #expect(reply.mediaType == "application/problem+json")
                let problem = try reply.json
                #expect(problem["status"]?.integer == Int64(status.code))
                let large = String(repeating: " ", count: 100_000)
                #expect(await running.answer(address, large).status == status)
            }
        }
    }

    @Test(arguments: [
        ("", ""), ("[]", ""), ("{", ""), (asking([]), "/apps"), (asking(system: "x"), "/osVersion"),
        (asking(platform: ""), "/platform"), (asking([("0", "5")]), "/apps/0/appleItemId"),
        (asking([("1", "5"), ("2", "-1")]), "/apps/1/appleVersionId"),
        (#"{"apps":[{"appleItemId":1,"appleVersionId":"1"}]}"#, "/apps/0/appleItemId"),
        (String(repeating: "[", count: 8000), ""), (String(repeating: "[", count: 800_000), ""),
        ("\u{0}", ""), (#"{"apps":1e999}"#, ""),
    ])
    func `a bad body is a problem that names the field`(
        body: String,
        pointer: String
    ) async throws {
        try await RunningResponder.with { running in
            for address in [DeviceAddress.restore, .updates] {
                let reply = await running.answer(address, body)
                #expect(reply.status == .malformed)
                let errors = try reply.list("errors")
                #expect(!errors.isEmpty)
                guard !pointer.isEmpty else { continue }
                #expect(errors.contains { $0["pointer"]?.string == pointer }, "\(errors)")
            }
        }
    }

    @Test func `without a key that signs devices are told so, and the operator once`()
        async throws
    {
        let lines = LogLines()
        try await RunningResponder.with(signs: false, logger: lines.logger) {
            (running) async throws in
            for _ in 0..<3 {
                let reply = await running.answer(.restore, asking())
                #expect(reply.status == .unavailable)
                let problem = try reply.json
                #expect(problem["detail"]?.string?.contains("token") == true)
            }
            // Who asks wrongly is told that first.
            #expect(await running.answer(.restore, "{").status == .malformed)
        }
        #expect(lines.text.components(separatedBy: "devices are not answered").count == 2)
    }

    @Test(
        arguments: [(.missing, .unauthorized), (.refused, .forbidden)]
            as [(DeviceAuthorization, AnswerStatus)]
    )
    func `who may not ask is told so also where no key signs yet`(
        decision: DeviceAuthorization,
        status: AnswerStatus
    ) async throws {
        try await RunningResponder.with(decision, signs: false) { (running) async throws in
            for address in [DeviceAddress.restore, .updates, .installToken] {
                #expect(await running.answer(address, asking()).status == status)
            }
        }
    }

    private static let envelope =
        #""licenseKey":"\#(Data(count: 384).base64EncodedString())""#
    private static let renewal =
        #"{"renewalRequest":"AAAAAAAAAAAAAAAAAAAAAA==",\#(envelope)}"#

    // Whoever makes licences is asked in `LicenseProxyTests`.
    @Test func `licences are for somebody else, who is away`() async throws {
        let dynamic =
            #"{"licenseRequest":"AAAAAAAAAAAAAAAAAAAAAA==",\#(Self.envelope),"appsById":"#
            + #"{"1":{"appleVersionId":"2","assetPublicId":"a"}}}"#
        let bodies = [(DeviceAddress.dynamicLicense, dynamic), (.licenseRenewal, Self.renewal)]
        let away = LicenseProxy.Settings(sidecar: OutsideAddress("http://127.0.0.1:1"))
        for (address, body) in bodies {
            try await RunningResponder.with { running in
                #expect(await running.answer(address, "{}").status == .malformed)
                #expect(await running.answer(address, body).status == .notImplemented)
            }
            try await RunningResponder.with(licenses: LicenseProxy(away, logger: quiet)) {
                running in
                #expect(await running.answer(address, body).status == .unavailable)
            }
            try await RunningResponder.with(.refused) { running in
                #expect(await running.answer(address, body).status == .forbidden)
            }
        }
    }

    @Test(arguments: [
        ("878123456789", "", AnswerStatus.ok), ("878123456789", #","redownload":true"#, .ok),
        ("7", "", .notFound), ("5", "", .notFound), ("x", "", .malformed),
    ])
    func `the marketplace's own app gets a token for one version`(
        version: String,
        more: String,
        status: AnswerStatus
    ) async throws {
        try await RunningResponder.with { running in
            let reply = await running.answer(
                .installToken,
                #"{"appleItemId":"10737747186","appleVersionId":"\#(version)"\#(more)}"#
            )
            #expect(reply.status == status)
            guard status == .ok else { return }
            let token = try #require(try reply.json["installVerificationToken"]?.string)
            let claims = try TakenApart(token).members
            #expect(claims["dtype"] as? String == (more.isEmpty ? "download" : "redownload"))
        }
    }

    // MARK: Crowds

    // Goal: whoever was promised an answer gets one, and nobody is promised what there is no room
    // for. Method: decisions that never come, until the responder stops.
    @Test func `so many wait at most, and who waits at the end is told`() async throws {
        let replies = Mutex<[AnswerStatus]>([])
        let maximum = LateAnswers.Kind.authorization.maximum
        try await RunningResponder.with(judging: SlowAuthorizer()) { running in
            let closed = Storefront(closedMarketplace(), [])
            let post = DevicePost(.restore, of: closed, body: Array(asking().utf8))
            for _ in 0..<maximum {
                let reply = running.responder.answer(post) { reply in
                    replies.withLock { $0.append(reply.status) }
                }
                #expect(reply == nil)
            }
            let crowded = running.responder.answer(post) { _ in Issue.record("it was answered") }
            #expect(crowded?.status == .unavailable)
            try await expectOthersAreAnswered(running)
        }
        let statuses = replies.withLock { $0 }
        #expect(statuses.count == maximum)
        #expect(Set(statuses) == [.unavailable])
    }

    // Goal: a licence service that does not answer keeps nobody from being judged. Method: as many
    // as may wait for it do, all of them judged before; then as many as may wait for a judgement.
    @Test func `who was judged waits elsewhere`() async throws {
        let (licenses, judgements) = (LateAnswers.Kind.licenses, LateAnswers.Kind.authorization)
        try await OutsideStandIn.with(.silent) { service in
            var settings = LicenseProxy.Settings(sidecar: service.address)
            // Longer than the test may take: nobody stops waiting.
            settings.timeout = .seconds(600)
            let proxy = LicenseProxy(settings, logger: quiet)
            try await RunningResponder.with(judging: BearerAuthorizer(), licenses: proxy) {
                running in
                let storefront = sampleStorefront()
                for _ in 0..<licenses.maximum {
                    let known = DevicePost(
                        .licenseRenewal,
                        of: storefront,
                        authorization: "Bearer known",
                        body: Array(Self.renewal.utf8)
                    )
                    #expect(running.responder.answer(known) { _ in } == nil)
                }
                while service.asked.count < licenses.maximum { await Task.yield() }
                let unknown = DevicePost(
                    .restore,
                    of: storefront,
                    authorization: "Bearer unknown",
                    body: Array(asking().utf8)
                )
                for _ in 0..<judgements.maximum {
                    while running.responder.answer(unknown, deliver: { _ in }) != nil {
                        await Task.yield()
                    }
                }
                #expect(running.responder.answer(unknown) { _ in }?.status == .unavailable)
            }
        }
    }

    /// Those of whom nobody has to be asked, however many wait for somebody.
    private func expectOthersAreAnswered(_ running: RunningResponder) async throws {
        let apps = (1...9).map { (item: "\($0)", version: "\($0)") }
        let reply = await running.answer(.restore, asking(apps), of: largeStorefront(9))
        #expect(try reply.list("restores").count == 9)
    }

    // Goal: what was taken away meanwhile is handed out by nobody who has not heard of it. Method:
    // snapshots that have expired by then.
    @Test(arguments: [(59, AnswerStatus.ok), (60, .unavailable), (604_800, .unavailable)])
    func `nothing is handed out by a snapshot that has expired`(
        seconds: Int,
        status: AnswerStatus
    ) async throws {
        try await RunningResponder.with(now: testNow.advanced(by: .seconds(seconds))) { running in
            for address in [DeviceAddress.restore, .updates] {
                #expect(await running.answer(address, asking()).status == status)
            }
            let token = #"{"appleItemId":"10737747186","appleVersionId":"878123456789"}"#
            #expect(await running.answer(.installToken, token).status == status)
        }
    }

    // MARK: Mutations

    // Goal: nothing that a device sends is answered with 5xx. Method: 10⁵ bodies, each a good one
    // with a few bytes other, in four parts.
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `no mutated body is answered with anything but 200 and 400`(part: UInt64) async throws {
        try await RunningResponder.with { running in
            var random = Mutations(seed: part)
            let bodies = [
                asking(), asking([("10737747186", "0"), ("7", "18446744073709551615")]),
                asking(platform: "ios", system: "17.4.1"),
            ].map { Array($0.utf8) }
            let storefront = sampleStorefront()
            var statuses: Set<AnswerStatus> = []
            for number in 0..<25_000 {
                let body = random.mutated(bodies[number % bodies.count])
                let address: DeviceAddress = number.isMultiple(of: 2) ? .restore : .updates
                let reply = await running.answer(DevicePost(address, of: storefront, body: body))
                statuses.insert(reply.status)
            }
            #expect(statuses == [.ok, .malformed])
        }
    }
}
