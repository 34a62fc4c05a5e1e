import Crypto
import Foundation
import Logging
import Metrics
import PlimsollDevices
import PlimsollDomain
import PlimsollMarketplace
import PlimsollSystem
import PlimsollTestSupport
import Testing

/// Signed access tokens against a JWK Set, at a file or on a socket.
@Suite(.timeLimit(.minutes(2))) struct KeySetTests {
    private let key = P256.Signing.PrivateKey()

    private static let seconds = testNow.millisecondsSince1970 / 1000
    private static let issuer = "https://login.example.com"
    private static let audience = "market"

    private static let good = claims()

    private static func claims(
        iss: String = #""\#(issuer)""#,
        aud: String = #""\#(audience)""#,
        exp: String = "\(seconds + 60)",
        more: String = ""
    ) -> String {
        #"{"iss":\#(iss),"aud":\#(aud),"exp":\#(exp),"sub":"person-1"\#(more)}"#
    }

    private func jwk(_ id: String?, _ key: P256.Signing.PublicKey, more: String = "") -> String {
        let raw = key.rawRepresentation
        let name = id.map { #""kid":"\#($0)","# } ?? ""
        return #"{\#(name)"kty":"EC","crv":"P-256","x":"\#(base64URL(raw.prefix(32)))","#
            + #""y":"\#(base64URL(raw.suffix(32)))"\#(more)}"#
    }

    private func set(_ keys: String...) -> String {
        #"{"keys":[\#(keys.joined(separator: ","))]}"#
    }

    private func token(
        _ claims: String = good,
        header: String = #"{"alg":"ES256","kid":"a"}"#,
        by signer: P256.Signing.PrivateKey? = nil
    ) throws -> String {
        let signed = "\(base64URL(Data(header.utf8))).\(base64URL(Data(claims.utf8)))"
        let digest = SHA256.hash(data: Data(signed.utf8))
        let signature = try (signer ?? key).signature(for: digest).rawRepresentation
        return "\(signed).\(base64URL(signature))"
    }

    private func authorizer(
        _ source: KeySetCheck.Source,
        timeout: Duration = OutsideStandIn.timeout
    ) -> (MarketplaceAuthorizer, KeySetCheck) {
        var settings = KeySetCheck.Settings(
            source,
            issuer: Self.issuer,
            audience: Self.audience
        )
        settings.timeout = timeout
        let check = KeySetCheck(settings, logger: quiet)
        return (MarketplaceAuthorizer(.keySet(check)), check)
    }

    private func withFileSet(
        _ text: String,
        _ body: (MarketplaceAuthorizer, KeySetCheck, Path) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            let file = folder / "keys.json"
            try file.writeDurably(Array(text.utf8), permissions: .readableByAll)
            let (authorizer, check) = authorizer(.file(file))
            #expect(await check.read(at: testNow))
            try await body(authorizer, check, file)
        }
    }

    @Test func `a good token says whose it is, at once`() async throws {
        try await withFileSet(set(jwk("a", key.publicKey))) { (authorizer, _, _) async throws in
            let outcome = authorizer.decide(
                bearer: try token(),
                asking: closedMarketplace(),
                at: testNow
            )
            #expect(outcome.text == "granted person-1")
        }
    }

    // Goal: who may ask one marketplace may not ask another that has its tokens from somebody else.
    @Test(
        arguments: [
            ("https://login.example.com", "granted person-1"),
            ("https://login.example.org", "refused"), (nil, "granted person-1"),
        ] as [(String?, String)]
    )
    func `a marketplace takes tokens of the issuer that it names`(
        issuer: String?,
        outcome: String
    ) async throws {
        try await withFileSet(set(jwk("a", key.publicKey))) { (authorizer, _, _) async throws in
            let decision = authorizer.decide(
                bearer: try token(),
                asking: closedMarketplace(of: issuer),
                at: testNow
            )
            #expect(decision.text == outcome)
        }
    }

    @Test func `without a token it is missing`() async throws {
        try await withFileSet(set(jwk("a", key.publicKey))) { (authorizer, _, _) async throws in
            for bearer in [nil, ""] {
                #expect(await settled(authorizer, bearer) == "missing")
            }
        }
    }

    @Test(arguments: [
        claims(iss: #""https://other.example.com""#), claims(iss: "null"), claims(iss: "1"),
        claims(aud: #""other""#), claims(aud: "[]"), claims(aud: "null"),
        claims(aud: #"{"market":true}"#), claims(exp: "\(seconds - 31)"), claims(exp: "null"),
        claims(exp: #""\#(seconds + 60)""#), claims(more: #","nbf":\#(seconds + 31)"#), "{}", "[]",
        "", "null", "\u{0}",
    ])
    func `claims that are not for this service, or not for now, are refused`(
        _ claims: String
    ) async throws {
        try await withFileSet(set(jwk("a", key.publicKey))) { (authorizer, _, _) async throws in
            #expect(try await settled(authorizer, token(claims)) == "refused")
        }
    }

    @Test(arguments: [
        claims(aud: #"["other","market"]"#), claims(exp: "\(seconds - 29)"),
        claims(exp: "\(seconds + 60).5"), claims(more: #","nbf":\#(seconds + 29)"#),
        claims(more: #","ratio":0.5,"list":[1.5,{"a":null}]"#),
    ])
    func `several audiences, small differences of clocks and fractions are taken`(
        _ claims: String
    ) async throws {
        try await withFileSet(set(jwk("a", key.publicKey))) { (authorizer, _, _) async throws in
            #expect(try await settled(authorizer, token(claims)) == "granted person-1")
        }
    }

    @Test(arguments: [
        #"{"alg":"none","kid":"a"}"#, #"{"alg":"HS256","kid":"a"}"#, #"{"alg":"RS256","kid":"a"}"#,
        #"{"alg":"ES384","kid":"a"}"#, #"{"alg":"es256","kid":"a"}"#, #"{"kid":"a"}"#,
        #"{"alg":"ES256","kid":"a","crit":["exp"]}"#, #"{"alg":"ES256","kid":"a","crit":[]}"#,
        #"{"alg":"ES256","kid":7}"#, #"{"alg":"ES256","alg":"none","kid":"a"}"#, "[]", "",
    ])
    func `headers that ask for something else are refused`(_ header: String) async throws {
        try await withFileSet(set(jwk("a", key.publicKey))) { (authorizer, _, _) async throws in
            #expect(try await settled(authorizer, token(header: header)) == "refused")
        }
    }

    @Test func `the secret of HS256 is never the public key`() async throws {
        try await withFileSet(set(jwk("a", key.publicKey))) { (authorizer, _, _) async throws in
            let head = base64URL(Data(#"{"alg":"HS256","kid":"a"}"#.utf8))
            let signed = "\(head).\(base64URL(Data(Self.good.utf8)))"
            for secret in [
                Data(key.publicKey.pemRepresentation.utf8), key.publicKey.derRepresentation,
                key.publicKey.rawRepresentation,
            ] {
                let code = HMAC<SHA256>.authenticationCode(
                    for: Data(signed.utf8),
                    using: SymmetricKey(data: secret)
                )
                let token = "\(signed).\(base64URL(Data(code)))"
                #expect(await settled(authorizer, token) == "refused")
            }
            let bare = base64URL(Data(#"{"alg":"none"}"#.utf8))
            let unsigned = "\(bare).\(base64URL(Data(Self.good.utf8)))."
            #expect(await settled(authorizer, unsigned) == "refused")
        }
    }

    @Test func `what is no token, or signed by another or in DER, is refused`() async throws {
        try await withFileSet(set(jwk("a", key.publicKey))) { (authorizer, _, _) async throws in
            let token = try token()
            let parts = token.components(separatedBy: ".")
            let digest = SHA256.hash(data: Data("\(parts[0]).\(parts[1])".utf8))
            let der = try key.signature(for: digest).derRepresentation
            let bad = [
                "a", "a.b", "...", "a.b.c.d", "\(token).", "\(token)=", " \(token)", "\(token)\n",
                try self.token(by: P256.Signing.PrivateKey()), "\(parts[0]).\(parts[1]).",
                "\(parts[0]).\(parts[1]).\(base64URL(der))", String(repeating: "a", count: 8193),
                String(token.dropLast(4)), "\(parts[0])..\(parts[2])",
            ]
            for text in bad { #expect(await settled(authorizer, text) == "refused", "\(text)") }
        }
    }

    @Test func `a token that names no key needs the only one there is`() async throws {
        let header = #"{"alg":"ES256"}"#
        try await withFileSet(set(jwk(nil, key.publicKey))) { (authorizer, _, _) async throws in
            #expect(try await settled(authorizer, token(header: header)) == "granted person-1")
        }
        let other = jwk("b", P256.Signing.PrivateKey().publicKey)
        let both = set(jwk("a", key.publicKey), other)
        try await withFileSet(both) { (authorizer, _, _) async throws in
            #expect(try await settled(authorizer, token(header: header)) == "refused")
        }
    }

    @Test func `keys for something else are passed over, and good ones beside them count`()
        async throws
    {
        let odd = [
            #"{"kty":"oct","k":"c2VjcmV0","kid":"a","alg":"HS256"}"#, #"{"kty":"new","kid":"x"}"#,
            #"{"kty":"EC","crv":"P-256","kid":"y"}"#, #"{"kty":"RSA","n":"AQAB","e":"AQAB"}"#, "7",
            jwk("e", key.publicKey, more: #","use":"enc""#),
            jwk("w", key.publicKey, more: #","alg":"ES512""#),
            jwk("o", key.publicKey, more: #","key_ops":["sign"]"#),
        ]
        let text = set(odd.joined(separator: ","), jwk("a", key.publicKey, more: #","use":"sig""#))
        try await withFileSet(text) { (authorizer, _, _) async throws in
            #expect(try await settled(authorizer, token()) == "granted person-1")
            for id in ["e", "w", "o"] {
                let header = #"{"alg":"ES256","kid":"\#(id)"}"#
                #expect(try await settled(authorizer, token(header: header)) == "refused")
            }
        }
    }

    @Test func `a new key is found where a token names it, and strangers do not make it ask again`()
        async throws
    {
        let first = OutsideStandIn.Behavior.answering(body: set(jwk("a", key.publicKey)))
        try await OutsideStandIn.with(first) { service in
            let (authorizer, check) = authorizer(.address(service.address))
            #expect(await check.read(at: testNow))
            #expect(try await settled(authorizer, token()) == "granted person-1")
            let next = P256.Signing.PrivateKey()
            service.change(to: .answering(body: set(jwk("b", next.publicKey))))
            let rotated = try token(header: #"{"alg":"ES256","kid":"b"}"#, by: next)

            // Too soon to ask again: nobody is let in for it.
            #expect(await settled(authorizer, rotated) == "refused")
            #expect(service.asked.count == 1)
            let later = testNow.advanced(by: .seconds(31))
            #expect(await settled(authorizer, rotated, at: later) == "granted person-1")
            #expect(try await settled(authorizer, token(), at: later) == "refused")
            for id in 1...20 {
                let header = #"{"alg":"ES256","kid":"stranger-\#(id)"}"#
                let made = try token(header: header)
                #expect(await settled(authorizer, made, at: later) == "refused")
            }
            #expect(service.asked.count == 2)
        }
    }

    @Test func `many who come before the set was read have it read once`() async throws {
        let behavior = OutsideStandIn.Behavior.answering(body: set(jwk("a", key.publicKey)))
        try await OutsideStandIn.with(behavior) { service in
            let (authorizer, _) = authorizer(.address(service.address))
            let token = try token()
            await withTaskGroup(of: String.self) { group in
                for _ in 1...50 { group.addTask { await settled(authorizer, token) } }
                for await outcome in group { #expect(outcome == "granted person-1") }
            }
            #expect(service.asked.count == 1)
        }
    }

    @Test(arguments: 0..<8)
    func `a set that cannot be had lets nobody in, and says so`(_ number: Int) async throws {
        let behaviors: [OutsideStandIn.Behavior] = [
            .silent, .dripping, .huge, .redirecting(to: "http://127.0.0.1:1/"),
            .answering(status: 500, body: "{}"), .answering(type: "text/html", body: "<html>"),
            .answering(body: ""), .answering(body: #"{"keys":{}}"#),
        ]
        try await OutsideStandIn.with(behaviors[number]) { service in
            let (authorizer, _) = authorizer(
                .address(service.address),
                timeout: OutsideStandIn.silence
            )
            #expect(try await settled(authorizer, token()) == "unavailable")
            try await service.whenAsked()
            #expect(service.asked.count == 1)
            // Whoever may ask without one is not held up.
            let open = authorizer.decide(
                bearer: try token(),
                asking: sampleMarketplace(),
                at: testNow
            )
            #expect(open.text == "granted -")
        }
    }

    @Test func `a set that was read counts for a day while nobody answers`() async throws {
        let notebook = MetricsNotebook()
        try await withMetricsFactory(notebook) {
            try await withFileSet(set(jwk("a", key.publicKey))) { authorizer, check, file in
                _ = try file.removeFile()
                let almost = testNow.advanced(by: .seconds(86_399))
                let end = Self.claims(exp: "\(Self.seconds + 200_000)")
                #expect(await !check.read(at: almost))
                #expect(try await settled(authorizer, token(end), at: almost) == "granted person-1")
                let after = testNow.advanced(by: .seconds(86_500))
                #expect(try await settled(authorizer, token(end), at: after) == "unavailable")
            }
        }
        #expect(notebook["plimsoll.devices.keysets.failures"] == 2)
    }

    @Test(arguments: [23, 960])
    func `a clock that was hours ahead neither keeps new keys away nor old ones in force`(
        _ hours: Int
    ) async throws {
        try await withFileSet(set(jwk("a", key.publicKey))) { authorizer, check, file in
            let ahead = testNow.advanced(by: .seconds(hours * 3600))
            #expect(await check.read(at: ahead))
            let next = P256.Signing.PrivateKey()
            let text = set(jwk("b", next.publicKey))
            try file.writeDurably(Array(text.utf8), permissions: .readableByAll)
            let rotated = try token(header: #"{"alg":"ES256","kid":"b"}"#, by: next)
            #expect(await settled(authorizer, rotated) == "granted person-1")
            #expect(await check.read(at: ahead))
            _ = try file.removeFile()
            #expect(await settled(authorizer, rotated) == "unavailable")
        }
    }
}
