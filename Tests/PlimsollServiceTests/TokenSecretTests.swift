import PlimsollDomain
import PlimsollService
import Testing

@Suite struct TokenSecretTests {
    private static let zeros = "plm_" + String(repeating: "0", count: 64)

    @Test func `a new secret has 256 bits of its own and is read back`() throws {
        let secrets = (0..<100).map { _ in TokenSecret.random().text }
        #expect(Set(secrets).count == secrets.count)
        for secret in secrets { #expect(TokenSecret(secret)?.text == secret) }
        let digits = Set(secrets.joined().dropFirst(4))
        #expect(digits.isSuperset(of: "0123456789abcdef"))
    }

    // `printf plm_%064d 0 | sha256sum`
    @Test func `what is recorded is the hash of the whole text`() throws {
        let secret = try #require(TokenSecret(Self.zeros))
        #expect(
            secret.digest.hex
                == "7d7797356236edfe32e37fd2e82f4cba24871cf2146a407e813ffa27f3466011"
        )
    }

    private static let refused: [String] = [
        "", "plm_", String(zeros.dropLast()), "\(zeros)0", "\(zeros.dropLast())g",
        "\(zeros.dropLast())A", String(zeros.dropFirst(4)), "PLM_\(zeros.dropFirst(4))",
        "plm-\(zeros.dropFirst(4))", " \(zeros)", "\(zeros)\n",
    ]

    @Test(arguments: refused)
    func `what is no secret is refused`(_ text: String) {
        #expect(TokenSecret(text) == nil)
    }
}
