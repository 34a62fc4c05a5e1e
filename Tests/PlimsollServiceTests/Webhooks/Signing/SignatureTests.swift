import Foundation
import PlimsollDomain
import PlimsollTestSupport
import Testing

@testable import PlimsollService

@Suite struct SignatureTests {
    private func secret(_ base64: String) throws -> SigningSecret {
        SigningSecret(bytes: Array(try #require(Data(base64Encoded: base64))))
    }

    // The example of the Standard Webhooks specification, by its reference implementations.
    @Test func `a message is signed as the specification says`() throws {
        let secret = try secret("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
        #expect(secret.text == "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
        let signature = secret.signature(
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
            seconds: 1_614_265_330,
            body: Array(#"{"test": 2432232314}"#.utf8)
        )
        #expect(signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    }

    @Test func `a bit more or less of anything gives another signature`() throws {
        let secret = try secret("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
        let body = Array("{}".utf8)
        let signature = secret.signature(id: "a", seconds: 1, body: body)
        let twins = [
            secret.signature(id: "b", seconds: 1, body: body),
            secret.signature(id: "a", seconds: 2, body: body),
            secret.signature(id: "a", seconds: 1, body: Array("{ }".utf8)),
            try self.secret("AAAA").signature(id: "a", seconds: 1, body: body),
        ]
        #expect(!twins.contains(signature))
    }

    @Test func `every secret that holds signs, the newest first`() throws {
        let (new, old) = (try secret("AAAA"), try secret("BBBB"))
        let message = WebhookMessage(id: "a", body: Array("{}".utf8))
        let headers = message.headers(at: Instant(millisecondsSince1970: 1999), [new, old])
        let found = Dictionary(uniqueKeysWithValues: headers.map { ($0.name, $0.value) })
        #expect(found["webhook-id"] == "a")
        #expect(found["webhook-timestamp"] == "1")
        let signatures = [new, old].map { $0.signature(id: "a", seconds: 1, body: message.body) }
        #expect(found["webhook-signature"] == signatures.joined(separator: " "))
        #expect(found["Content-Type"] == "application/json")
    }
}
