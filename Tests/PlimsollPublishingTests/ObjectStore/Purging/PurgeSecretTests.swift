import PlimsollPublishing
import Testing

@Suite struct PurgeSecretTests {
    @Test(arguments: [
        "", "whsec_", "whsec_AAAA", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "whsec_*AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    ])
    func `what is no secret is refused`(text: String) {
        #expect(PurgeSecret(text) == nil)
    }

    @Test func `a secret is not part of any description`() throws {
        let secret = try #require(PurgeSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        #expect("\(secret) \(String(reflecting: secret))" == "<redacted> <redacted>")
    }
}
