import Crypto
import Foundation
import Logging
import PlimsollDevices
import PlimsollDomain
import PlimsollSystem
import PlimsollTestSupport
import Testing

/// Where keys for tokens come from, and which one signs.
@Suite struct TokenKeyTests {
    private let late = "2026-12-01T00:00:00Z"

    @Test func `a place says marketplace, id, time and keeper`() throws {
        let whole = try place("6497405838/\(keyID)@\(late)=/etc/plimsoll/token.pem")
        #expect(whole.marketplace == item(6_497_405_838))
        #expect(whole.id.text == keyID)
        #expect(whole.start == Instant(rfc3339: late))
        #expect(whole.keeper == .file("/etc/plimsoll/token.pem"))
        let short = try place("\(otherKeyID)=env:PLIMSOLL_TOKEN_KEY")
        #expect(short.marketplace == nil)
        #expect(short.id.text == otherKeyID)
        #expect(short.start < testNow)
        #expect(short.keeper == .environment("PLIMSOLL_TOKEN_KEY"))
    }

    @Test(arguments: [
        "", "=", keyID, "\(keyID)=", "=/a", "\(keyID)=a.pem", "\(keyID)=env:", "\(keyID)=env:a",
        "\(keyID)=env:A B", "\(keyID.dropLast())=/a", "x/\(keyID)=/a", "0/\(keyID)=/a",
        "1/2/\(keyID)=/a", "\(keyID)@=/a", "\(keyID)@tomorrow=/a",
        "\(keyID)@2026-12-01T00:00:00Z@2026-12-02T00:00:00Z=/a", "{\(keyID)}=/a",
    ])
    func `what is no place is refused`(text: String) {
        #expect(TokenKeyPlace(text) == nil)
    }

    // `openssl ecparam` writes SEC 1, with the parameters of the curve in front or without.
    @Test(arguments: [
        ["ecparam", "-name", "prime256v1", "-genkey"],
        ["ecparam", "-name", "prime256v1", "-genkey", "-noout"],
        ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"],
    ])
    func `keys of OpenSSL sign`(arguments: [String]) async throws {
        try await withFolder { folder in
            let file = folder / "token.pem"
            let pem = try await output(of: "openssl", arguments)
            try file.writeDurably(Array(pem.utf8), permissions: .ownerOnly)
            let publicPEM = try await output(
                of: "openssl",
                ["pkey", "-in", file.string, "-pubout"]
            )
            let ring = try TokenKeyring([place("\(keyID)=\(file)")], now: testNow)
            let token = try TakenApart(try sign(ring))
            let key = try P256.Signing.PublicKey(pemRepresentation: publicPEM)
            #expect(token.isSigned(by: key))
        }
    }

    @Test(arguments: [
        (["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384"], "P-384"),
        (["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-521"], "P-521"),
        (["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:secp256k1"], ""),
        (["genpkey", "-algorithm", "ED25519"], ""), (["rand", "-hex", "200"], ""),
    ])
    func `keys of other kinds are refused at the start`(
        arguments: [String],
        curve: String
    ) async throws {
        let text = try await output(of: "openssl", arguments)
        let expected: TokenKeyError =
            curve.isEmpty
            ? .malformed(.environment("K")) : .otherCurve(.environment("K"), curve)
        #expect(throws: expected) { try keyring(["\(keyID)=env:K"], ["K": text], now: testNow) }
        #expect(!"\(expected)".contains(text.prefix(40)))
    }

    @Test func `a key that others may read, or that is not there, is refused`() async throws {
        try withFolder { folder in
            let file = folder / "token.pem"
            #expect(throws: TokenKeyError.self) {
                try TokenKeyring([place("\(keyID)=\(file)")], now: testNow)
            }
            let pem = P256.Signing.PrivateKey().pemRepresentation
            try file.writeDurably(Array(pem.utf8), permissions: .readableByAll)
            let error = #expect(throws: TokenKeyError.self) {
                try TokenKeyring([place("\(keyID)=\(file)")], now: testNow)
            }
            #expect(error?.description.contains("chmod 600") == true)
        }
        #expect(throws: TokenKeyError.unreadable(.environment("K"), reason: "it is not set")) {
            try keyring(["\(keyID)=env:K"], [:], now: testNow)
        }
    }

    @Test func `the newest key that has begun signs, and the one before it until then`() throws {
        let keys = ["A": P256.Signing.PrivateKey(), "B": P256.Signing.PrivateKey()]
        let turn = try #require(Instant(rfc3339: late))
        let before = turn.advanced(by: .milliseconds(-1))
        let ring = try keyring(
            ["\(otherKeyID)@\(late)=env:B", "\(keyID)=env:A"],
            keys.mapValues(\.pemRepresentation),
            now: before
        )
        let old = try TakenApart(try sign(ring, at: before))
        #expect(old.header.contains(keyID))
        #expect(try old.isSigned(by: #require(keys["A"]).publicKey))
        let new = try TakenApart(try sign(ring, at: turn))
        #expect(new.header.contains(otherKeyID))
        #expect(try new.isSigned(by: #require(keys["B"]).publicKey))
    }

    @Test func `a marketplace's own key goes before one for all, another's never signs`() throws {
        let pem = ["K": P256.Signing.PrivateKey().pemRepresentation]
        let own = try keyring(
            ["\(keyID)@2026-01-01T00:00:00Z=env:K", "6497405838/\(otherKeyID)=env:K"],
            pem,
            now: testNow
        )
        #expect(try TakenApart(try sign(own)).header.contains(otherKeyID))
        let foreign = try keyring(["1/\(keyID)=env:K"], pem, now: testNow)
        #expect(throws: TokenFailure.noKey(item(6_497_405_838))) { try sign(foreign) }
    }

    @Test func `keys of which it is not clear which signs are refused`() throws {
        let pem = ["K": P256.Signing.PrivateKey().pemRepresentation]
        for places in [
            ["\(keyID)=env:K", "\(otherKeyID)=env:K"],
            ["\(keyID)=env:K", "\(keyID)@\(late)=env:K"],
        ] {
            #expect(throws: TokenKeyError.self) { try keyring(places, pem, now: testNow) }
        }
        #expect(throws: TokenKeyError.noneYet) { try keyring([], pem, now: testNow) }
        #expect(throws: TokenKeyError.noneYet) {
            try keyring(["\(keyID)@9999-01-01T00:00:00Z=env:K"], pem, now: testNow)
        }
    }

    @Test func `a file that changes is read again, one that broke changes nothing`() async throws {
        try withFolder { folder in
            let file = folder / "token.pem"
            let (first, second) = (P256.Signing.PrivateKey(), P256.Signing.PrivateKey())
            try file.writeDurably(Array(first.pemRepresentation.utf8), permissions: .ownerOnly)
            let ring = try TokenKeyring([place("\(keyID)=\(file)")], now: testNow)
            #expect(try ring.readAgain().isEmpty)

            try file.writeDurably(Array("-----BEGIN".utf8), permissions: .ownerOnly)
            #expect(throws: TokenKeyError.malformed(.file(file))) { try ring.readAgain() }
            #expect(try TakenApart(try sign(ring)).isSigned(by: first.publicKey))

            try file.writeDurably(Array(second.pemRepresentation.utf8), permissions: .ownerOnly)
            #expect(try ring.readAgain().map(\.text) == [keyID])
            #expect(try TakenApart(try sign(ring)).isSigned(by: second.publicKey))
            _ = try file.removeFile()
            #expect(throws: TokenKeyError.self) { try ring.readAgain() }
            #expect(try TakenApart(try sign(ring)).isSigned(by: second.publicKey))
        }
    }

    private func sign(_ ring: TokenKeyring, at now: Instant = testNow) throws -> String {
        try TokenSigner(ring).token(
            for: try sampleOffer(),
            marketplace: sampleMarketplace(),
            downloadType: .download,
            now: now
        )
    }
}
