import Crypto
import PlimsollDocuments
import PlimsollDomain
import Testing

@Suite struct DistributionSignatureTests {
    private func vector(_ signature: String = Vectors.signature) throws -> DistributionSignature {
        try DistributionSignature(
            signatureHeader: Vectors.header(signature: signature),
            dateHeader: Vectors.dateText
        )
    }

    @Test(arguments: [Vectors.signature, Vectors.flippedSignature])
    func `what OpenSSL signed is verified`(signature: String) throws {
        let signature = try vector(signature)
        let verified = try signature.verify(Vectors.body, keys: try Vectors.keys())
        #expect(verified.body == Vectors.body)
        #expect(verified.signature == signature)
    }

    @Test func `what is signed here is verified`() throws {
        let date = SignatureDate(Instant(millisecondsSince1970: 1_596_495_575_000))
        let signature = try DistributionSignature(
            signing: Vectors.body,
            date: date,
            with: Vectors.signer()
        )
        #expect(signature.keyID.text == Vectors.keyIDText)
        _ = try signature.verify(Vectors.body, keys: try Vectors.keys())
    }

    @Test(arguments: [
        #"{"a":2}"#, #"{"a":1} "#, "{\"a\":1}\n", #" {"a":1}"#, "", #"{"a":1"#, #":{"a":1}"#,
    ])
    func `another body is refused`(body: String) throws {
        let signature = try vector()
        #expect(throws: VerificationRefusal.signatureWrong(try Vectors.keyID())) {
            try signature.verify(Array(body.utf8), keys: try Vectors.keys())
        }
    }

    @Test(arguments: [
        "Mon, 03 Aug 2020 22:59:36 UTC", "Mon, 03 Aug 2020 22:59:35 GMT",
        "Mon, 03 Aug 2020 22:59:35 UTC:",
    ])
    func `another date is refused`(date: String) throws {
        let signature = try DistributionSignature(
            signatureHeader: Vectors.header(),
            dateHeader: date
        )
        #expect(throws: VerificationRefusal.signatureWrong(try Vectors.keyID())) {
            try signature.verify(Vectors.body, keys: try Vectors.keys())
        }
    }

    @Test func `every flipped bit of a signature is refused`() throws {
        let good = try vector().signature
        for index in good.der.indices {
            for bit in 0..<8 {
                var der = good.der
                der[index] ^= 1 << UInt8(bit)
                guard let signature = KeySignature(keyID: good.keyID, der: der) else { continue }
                let date = try #require(SignatureDate(Vectors.dateText))
                let changed = DistributionSignature(date: date, signature: signature)
                #expect(throws: VerificationRefusal.signatureWrong(good.keyID)) {
                    try changed.verify(Vectors.body, keys: try Vectors.keys())
                }
            }
        }
    }

    @Test func `a key that is not trusted is refused`() throws {
        let other = OtherKey()
        let keys = TrustedKeys([other.trusted()])
        let signature = try vector()
        #expect(throws: VerificationRefusal.keyUnknown([try Vectors.keyID()])) {
            try signature.verify(Vectors.body, keys: keys)
        }
        let impostor = TrustedKeys([.init(id: try Vectors.keyID(), publicKey: other.publicKey)])
        #expect(throws: VerificationRefusal.signatureWrong(try Vectors.keyID())) {
            try signature.verify(Vectors.body, keys: impostor)
        }
    }

    @Test func `a missing header is named`() throws {
        #expect(throws: VerificationRefusal.headerMissing("x-amz-meta-signature")) {
            try DistributionSignature(signatureHeader: nil, dateHeader: "x")
        }
        #expect(throws: VerificationRefusal.headerMissing("x-amz-meta-signature-date")) {
            try DistributionSignature(signatureHeader: Vectors.header(), dateHeader: nil)
        }
        #expect(throws: VerificationRefusal.headerMalformed("x-amz-meta-signature-date")) {
            try DistributionSignature(signatureHeader: Vectors.header(), dateHeader: "")
        }
    }

    @Test func `a signer that answers no signature is found out`() throws {
        let signer = ContentSigner(keyID: try Vectors.keyID()) { _ in [1, 2, 3] }
        #expect(throws: SignerAnsweredNoSignature.self) {
            try DistributionSignature(
                signing: Vectors.body,
                date: SignatureDate(Instant(millisecondsSince1970: 0)),
                with: signer
            )
        }
    }

    @Test func `a signer sees nothing but the digest of what is signed`() throws {
        let key = P256.Signing.PrivateKey()
        let message = Array("\(Vectors.dateText):".utf8) + Vectors.body
        let signer = ContentSigner(keyID: try Vectors.keyID()) { digest in
            #expect(digest == SHA256.hash(data: message))
            return Array(try key.signature(for: digest).derRepresentation)
        }
        _ = try DistributionSignature(
            signing: Vectors.body,
            date: try #require(SignatureDate(Vectors.dateText)),
            with: signer
        )
    }
}
