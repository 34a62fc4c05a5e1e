import Crypto
import Foundation
import PlimsollDomain
import PlimsollEdge
import PlimsollJSON
import PlimsollMarketplace
import PlimsollPublishing
import PlimsollTestSupport
import Testing

@testable import PlimsollDevices

/// Tokens that a key service signs, which is a stand-in that signs with OpenSSL.
@Suite(.timeLimit(.minutes(5))) struct KeptTokenKeyTests {
    private static let arn =
        "arn:aws:kms:eu-west-2:123456789012:key/3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07"
    private static let check = AmazonSignatureCheck(
        accessKeyID: "AKIDEXAMPLE",
        secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
    )
    private static let place = "\(keyID)=\(arn)"

    @Test func `each token of an answer is signed by the key service`() async throws {
        try await Self.withService { service, connections in
            let ring = try Self.keyring([Self.place], connections)
            #expect(try await ring.prove() == [])
            for count in [1, 50] {
                let apps = (1...UInt64(count)).map { (item: "\($0)", version: "0") }
                try await RunningResponder.with(with: ring) { running in
                    let storefront = largeStorefront(UInt64(count))
                    let reply = await running.answer(.updates, asking(apps), of: storefront)
                    #expect(reply.status == .ok)
                    let tokens = try reply.list("updates").map { update in
                        let text = try #require(update["installVerificationToken"]?.string)
                        let token = try TakenApart(text)
                        #expect(token.isSigned(by: service.key.publicKey))
                        #expect(token.header.contains(keyID))
                        let item = try token.members["iid"] as? String
                        #expect(item == update["appleItemId"]?.string)
                        return text
                    }
                    #expect(Set(tokens).count == count)
                }
            }
            #expect(service.actions.count { $0 == "Sign" } == 51)
            #expect(service.actions.count { $0 == "GetPublicKey" } == 1)
        }
    }

    @Test func `the listener's thread never waits for a key service`() async throws {
        try await Self.withService { _, connections in
            let ring = try Self.keyring([Self.place], connections)
            try await RunningResponder.with(with: ring) { running in
                let post = DevicePost(
                    .restore,
                    of: sampleStorefront(),
                    body: Array(asking().utf8)
                )
                await withCheckedContinuation { continuation in
                    #expect(running.responder.answer(post) { _ in continuation.resume() } == nil)
                }
                // What needs no token is answered at once.
                let nothing = DevicePost(
                    .restore,
                    of: sampleStorefront(),
                    body: Array(asking([("1", "1")]).utf8)
                )
                #expect(running.responder.answer(nothing) { _ in }?.status == .ok)
            }
        }
    }

    @Test(arguments: [
        StandInKeyService.Behavior.refusing(status: 503, type: ""),
        .refusing(status: 400, type: "AccessDeniedException"), .forging, .babbling,
    ])
    func `a key service that does not sign is told as 503, and left alone for a moment`(
        behavior: StandInKeyService.Behavior
    ) async throws {
        try await Self.withService { service, connections in
            let (ring, lines) = (try Self.keyring([Self.place], connections), LogLines())
            #expect(try await ring.prove() == [])
            service.change(to: behavior)
            try await RunningResponder.with(with: ring, logger: lines.logger) { running in
                for _ in 1...7 {
                    #expect(await running.answer(.restore, asking()).status == .unavailable)
                }
            }
            #expect(service.actions.count { $0 == "Sign" } == 5)
            // That it is left alone is no other reason, of which the log would be told anew.
            #expect(lines.all.count { $0.contains("a token was not signed") } == 1)
            service.change(to: .well)
            let later = testNow.advanced(by: .seconds(11))
            try await RunningResponder.with(now: later, with: ring) { running in
                #expect(await running.answer(.restore, asking()).status == .ok)
            }
        }
    }

    @Test func `what fails again after it was right is told of again, and until then once`()
        async throws
    {
        let lines = LogLines()
        let bad = StandInKeyService.Behavior.refusing(status: 400, type: "AccessDeniedException")
        try await Self.withService { service, connections in
            let ring = try Self.keyring([Self.place], connections)
            try await RunningResponder.with(with: ring, logger: lines.logger) { running in
                for behavior in [bad, bad, .well, bad, .well] {
                    service.change(to: behavior)
                    _ = await running.answer(.restore, asking())
                }
            }
        }
        #expect(lines.text.components(separatedBy: "a token was not signed").count == 3)
    }

    @Test func `a key service that says nothing keeps nobody waiting`() async throws {
        try await OutsideStandIn.with(.silent) { silent in
            let origin = silent.address.text.replacing("/service", with: "")
            try await Self.withConnections(to: origin) { connections in
                let ring = try Self.keyring([Self.place], connections, within: .milliseconds(200))
                try await RunningResponder.with(with: ring) { running in
                    #expect(await running.answer(.restore, asking()).status == .unavailable)
                }
            }
        }
    }

    @Test func `a service that is away at the start proves nothing, and signs once it is back`()
        async throws
    {
        try await Self.withService { service, connections in
            service.change(to: .refusing(status: 503, type: ""))
            let ring = try Self.keyring([Self.place], connections)
            #expect(try await ring.prove().map(\.text) == [keyID])
            service.change(to: .well)
            try await RunningResponder.with(with: ring) { running in
                #expect(await running.answer(.restore, asking()).status == .ok)
            }
        }
    }

    // A key on secp256k1 signs with the same algorithm, and has a public half of the same length.
    @Test func `keys that no token is signed with are refused at the start`() async throws {
        let other = P384.Signing.PrivateKey().publicKey.derRepresentation
        let curve = try #require(Data(base64Encoded: Self.koblitz))
        let behaviors: [StandInKeyService.Behavior] = [
            .keeping(publicKey: other, algorithm: "ECDSA_SHA_384"),
            .keeping(publicKey: other, algorithm: "ECDSA_SHA_256"),
            .keeping(publicKey: curve, algorithm: "ECDSA_SHA_256"),
            .refusing(status: 400, type: "NotFoundException"),
        ]
        for behavior in behaviors {
            try await Self.withService { service, connections in
                service.change(to: behavior)
                let ring = try Self.keyring([Self.place], connections)
                await #expect(throws: TokenKeyError.self) { try await ring.prove() }
            }
        }
    }

    @Test func `a key service takes over from a file at its time`() async throws {
        try await Self.withService { service, connections in
            let own = P256.Signing.PrivateKey()
            let turn = try #require(Instant(rfc3339: "2026-12-01T00:00:00Z"))
            let ring = try Self.keyring(
                ["\(otherKeyID)=env:K", "\(keyID)@2026-12-01T00:00:00Z=\(Self.arn)"],
                connections,
                ["K": own.pemRepresentation]
            )
            for (now, key) in [
                (turn.advanced(by: .milliseconds(-1)), own.publicKey),
                (turn, service.key.publicKey),
            ] {
                try await RunningResponder.with(now: now, with: ring) { running in
                    let reply = await running.answer(.restore, asking())
                    let token = try reply.list("restores").first?["installVerificationToken"]
                    #expect(try TakenApart(try #require(token?.string)).isSigned(by: key))
                }
            }
            #expect(try ring.readAgain() == [])
        }
    }

    @Test func `the token for developers is signed by a key service too`() async throws {
        try await StandInKeyService.with(keyName: Self.arn, Self.check) { standIn, endpoint in
            let token = DeveloperToken(
                item(6_497_405_838),
                for: try #require(DeveloperID("A1B2C3D4E5")),
                days: 1,
                now: testNow
            )
            let keeper = try #require(TokenKeyPlace.Keeper(Self.arn))
            let service = Self.service(at: endpoint)
            let text = try await token.signed(with: keeper, asking: service)
            #expect(try TakenApart(text).isSigned(by: standIn.key.publicKey))
            standIn.change(to: .babbling)
            await #expect(throws: TokenFailure.self) {
                try await token.signed(with: keeper, asking: service)
            }
        }
    }

    @Test(arguments: [
        "\(keyID)=arn:aws:kms:eu-west-2:123456789012:alias/plimsoll", "\(keyID)=arn:",
        "\(keyID)=arn:aws:s3:eu-west-2:123456789012:key/3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07",
    ])
    func `what is no ARN of a key is no place`(text: String) {
        #expect(TokenKeyPlace(text) == nil)
    }

    /// Made with `openssl ecparam -name secp256k1 -genkey` and `openssl ec -pubout -outform DER`.
    private static let koblitz =
        "MFYwEAYHKoZIzj0CAQYFK4EEAAoDQgAEe/CJsczizO+G9iVRa2Ua7WfaNF0wNq45FCMapb"
        + "oTx/k8n7m/Dr6sLCrjYuCqOmMmINxIX4usAuz0BAzJccdJaQ=="

    // MARK: Steps

    private static func keyring(
        _ places: [String],
        _ connections: KeyServiceConnections,
        _ variables: [String: String] = [:],
        within timeout: Duration = .seconds(60)
    ) throws -> TokenKeyring {
        try TokenKeyring(
            try places.map { try #require(TokenKeyPlace($0)) },
            now: testNow,
            asking: connections,
            within: timeout
        ) { variables[$0] }
    }

    private static func withService(
        _ body: (StandInKeyService, KeyServiceConnections) async throws -> Void
    ) async throws {
        try await StandInKeyService.with(keyName: arn, check) { service, endpoint in
            try await withConnections(to: endpoint) { try await body(service, $0) }
        }
    }

    /// Keeps connections while the body runs.
    private static func withConnections(
        to endpoint: String,
        _ body: (KeyServiceConnections) async throws -> Void
    ) async throws {
        let connections = KeyServiceConnections(service(at: endpoint))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask(name: "connections") { try await connections.run() }
            while !connections.areOpen { await Task.yield() }
            defer { tasks.cancelAll() }
            try await body(connections)
        }
    }

    private static func service(at endpoint: String) -> KeyManagementService {
        var settings = KeyManagementService.Settings()
        settings.endpoint = endpoint
        settings.credentials = {
            AmazonCredentials(
                accessKeyID: check.accessKeyID,
                secretAccessKey: check.secretAccessKey
            )
        }
        return KeyManagementService(settings)
    }
}
