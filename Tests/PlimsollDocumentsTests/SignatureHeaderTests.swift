import Crypto
import Foundation
import PlimsollDocuments
import PlimsollDomain
import Testing

/// The same header, tried on both apps' rules and on ours: ours has to accept what both accept.
@Suite struct SignatureHeaderTests {
    private func apple() throws -> AppleRules {
        AppleRules(
            keyID: Vectors.keyIDText,
            key: try P256.Signing.PublicKey(pemRepresentation: Vectors.publicPEM)
        )
    }

    private func android() throws -> AndroidRules {
        let key = try P256.Signing.PublicKey(pemRepresentation: Vectors.publicPEM)
        return AndroidRules(keys: [Vectors.keyIDText: key])
    }

    private struct Acceptance: Equatable {
        let apple: Bool
        let android: Bool
        let ours: Bool
    }

    private func acceptance(_ header: String) throws -> Acceptance {
        let ours = try? DistributionSignature(
            signatureHeader: header,
            dateHeader: Vectors.dateText
        )
        let keys = try Vectors.keys()
        return Acceptance(
            apple: try apple().accepts(header, date: Vectors.dateText, body: Vectors.body),
            android: try android().accepts(header, date: Vectors.dateText, body: Vectors.body),
            ours: (try? ours?.verify(Vectors.body, keys: keys)) != nil
        )
    }

    @Test func `the form we write is accepted by all`() throws {
        let headers = [Vectors.header(), Vectors.header(signature: Vectors.flippedSignature)]
        for header in headers {
            #expect(try acceptance(header) == Acceptance(apple: true, android: true, ours: true))
        }
    }

    @Test func `every signature made here is accepted by both apps`() throws {
        let (apple, android) = (try apple(), try android())
        for number in 0..<200 {
            let body = Array("body \(number)".utf8)
            let date = SignatureDate(Instant(millisecondsSince1970: Int64(number) * 86_399_123))
            let signature = try DistributionSignature(
                signing: body,
                date: date,
                with: Vectors.signer()
            )
            let header = signature.headers[0].value
            #expect(apple.accepts(header, date: date.text, body: body))
            #expect(android.accepts(header, date: date.text, body: body))
            let read = try DistributionSignature(
                signatureHeader: header,
                dateHeader: signature.headers[1].value
            )
            #expect(read == signature)
        }
    }

    @Test func `what one app refuses is refused here`() throws {
        let (id, signature) = (Vectors.keyIDText, Vectors.signature)
        let unpadded = signature.replacing("=", with: "")
        let cases: [(header: String, apple: Bool, android: Bool)] = [
            (#"keyId="\#(id)", signature="\#(signature)""#, true, false),
            (#"signature="\#(signature)",keyId="\#(id)""#, false, false),
            ("keyId=\(id),signature=\(signature)", false, false),
            (Vectors.header() + #",alg="x""#, false, false),
            (#"keyId="a,b",signature="\#(signature)""#, false, false),
            (Vectors.header(keyID: id.uppercased()), false, false),
            (Vectors.header(keyID: "00000000-0000-4000-8000-000000000000"), false, false),
            (Vectors.header(signature: Vectors.rawSignature), false, false),
            (Vectors.header(signature: unpadded), false, true),
            (Vectors.header(signature: urlSafe(signature)), false, false),
            (Vectors.header(signature: ""), false, false),
            (Vectors.header(signature: String(signature.dropLast(8))), false, false),
            (Vectors.header(keyID: ""), false, false),
            ("", false, false),
            (#"keyId="\#(id)""#, false, false),
        ]
        for (header, apple, android) in cases {
            let expected = Acceptance(apple: apple, android: android, ours: false)
            #expect(try acceptance(header) == expected, "\(header)")
        }
    }

    @Test func `no cut of a header is read`() {
        let header = Vectors.header()
        for length in 0..<header.utf8.count {
            #expect(KeySignature(headerValue: String(header.prefix(length))) == nil)
        }
        #expect(KeySignature(headerValue: header + "\n") == nil)
        #expect(KeySignature(headerValue: String(repeating: header, count: 1000)) == nil)
    }

    private func urlSafe(_ text: String) -> String {
        text.replacing("+", with: "-").replacing("/", with: "_")
    }
}
