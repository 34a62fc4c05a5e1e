import Crypto
import Foundation
import PlimsollJSON
import Testing

/// What the marketplace's key signs on the command line.
@Suite struct DeveloperTokenTests {
    private let key = P256.Signing.PrivateKey()
    private let usual = ["--item", "6497405838", "--developer", "A1B2C3D4E5", "--key", "env:K"]

    private func run(_ arguments: [String], pem: String? = nil) async throws -> CommandLineRun {
        try await plimsoll(
            ["marketplace", "developer-token"] + arguments,
            more: ["K": pem ?? key.pemRepresentation]
        )
    }

    @Test func `a token for a developer is made without any service`() async throws {
        let run = try await run(usual + ["--days", "2"])
        #expect(run.code == 0)
        let json = try run.json()
        #expect(json["expiresAt"]?.string?.hasSuffix("Z") == true)
        let parts = try #require(json["token"]?.string).split(separator: ".").map(String.init)
        try #require(parts.count == 3)
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: decoded(parts[2]))
        #expect(
            key.publicKey.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8))
        )
        let claims = try JSONValue(parsing: Array(decoded(parts[1])))
        #expect(claims["aud"] == "appstoreconnect-v1")
        let (issued, end) = (claims["iat"]?.integer ?? 0, claims["exp"]?.integer ?? 0)
        #expect(end - issued == 2 * 86_400)
    }

    @Test(arguments: [
        ["--item", "0", "--developer", "A1", "--key", "env:K"],
        ["--item", "1", "--developer", "A 1", "--key", "env:K"],
        ["--item", "1", "--developer", "A1", "--key", "env:k"],
        ["--item", "1", "--developer", "A1", "--key", "env:K", "--days", "7"],
        ["--item", "1", "--developer", "A1", "--key", "env:K", "--days", "0"],
        ["--item", "1", "--developer", "A1"],
    ])
    func `what makes no token is told, and what is needed`(arguments: [String]) async throws {
        let run = try await run(arguments)
        #expect(run.code == 2)
        #expect(run.output.isEmpty)
    }

    @Test func `a key on another curve, or that is none, signs nothing`() async throws {
        let other = P384.Signing.PrivateKey().pemRepresentation
        let run = try await run(usual, pem: other)
        #expect(run.code == 1)
        #expect(run.errors.contains("P-384"))
        let rubbish = try await self.run(usual, pem: "secret words")
        #expect(rubbish.code == 1)
        #expect(!rubbish.errors.contains("secret words"))
    }

    private func decoded(_ text: String) throws -> Data {
        let standard = text.replacing("-", with: "+").replacing("_", with: "/")
        let filled = standard + String(repeating: "=", count: (4 - standard.count % 4) % 4)
        return try #require(Data(base64Encoded: filled))
    }
}
