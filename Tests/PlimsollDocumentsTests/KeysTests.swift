import PlimsollDocuments
import PlimsollDomain
import PlimsollJSON
import Testing

@Suite struct KeysTests {
    @Test func `a public key keeps its PEM to the byte`() throws {
        let key = try Vectors.publicKey()
        #expect(key.pem == Vectors.publicPEM)
        #expect(PublicKey(der: key.der) == key)
        #expect(PublicKey(pem: Array(Vectors.publicPEM.utf8)) == key)
    }

    @Test(arguments: [
        "", "x", Vectors.otherCurvePEM, Vectors.sec1PEM, String(Vectors.publicPEM.dropLast(60)),
    ])
    func `what is no public key on P-256 is refused`(pem: String) {
        #expect(PublicKey(pem: pem) == nil)
    }

    @Test func `bytes that are no text are no key`() throws {
        #expect(PublicKey(pem: [0xFF, 0xFE]) == nil)
        #expect(PublicKey(der: []) == nil)
        #expect(PublicKey(der: Array(try Vectors.publicKey().der.dropLast())) == nil)
    }

    @Test(arguments: [Vectors.sec1PEM, Vectors.pkcs8PEM])
    func `a private key is read in both its forms`(pem: String) throws {
        let signer = try ContentSigner(keyID: Vectors.keyID(), pem: Array(pem.utf8))
        let signature = try DistributionSignature(
            signing: Vectors.body,
            date: SignatureDate(Instant(millisecondsSince1970: 0)),
            with: signer
        )
        _ = try signature.verify(Vectors.body, keys: try Vectors.keys())
    }

    @Test(arguments: ["", "x", Vectors.publicPEM, String(Vectors.pkcs8PEM.dropLast(60))])
    func `what is no private key is refused without being repeated`(pem: String) throws {
        let id = try Vectors.keyID()
        let error = #expect(throws: PrivateKeyMalformed.self) {
            try ContentSigner(keyID: id, pem: Array(pem.utf8))
        }
        #expect(error?.description == "The file is not a P-256 private key in PEM.")
    }

    private func published() throws -> PublishedKeys {
        let app = try #require(AppSlug("harbour"))
        let other = OtherKey()
        return PublishedKeys([
            PublishedKey(
                id: try Vectors.keyID(),
                app: app,
                state: .active,
                publicKey: try Vectors.publicKey()
            ),
            PublishedKey(id: other.id, app: app, state: .added, publicKey: other.publicKey),
        ])
    }

    @Test func `published keys come back as they were`() throws {
        let keys = try published()
        #expect(try PublishedKeys(parsing: keys.bytes) == keys)
        let trusted = TrustedKeys(keys)
        #expect(trusted.all.map(\.id) == keys.keys.map(\.id))
        #expect(trusted[try Vectors.keyID()]?.app?.text == "harbour")
        #expect(trusted[OtherKey().id] == nil)
    }

    @Test func `of published keys all are trusted but those that are compromised`() throws {
        let app = try #require(AppSlug("harbour"))
        let keys = KeyState.allCases.map { state in
            let key = OtherKey()
            return PublishedKey(id: key.id, app: app, state: state, publicKey: key.publicKey)
        }
        let trusted = TrustedKeys(PublishedKeys(keys))
        for key in keys {
            #expect((trusted[key.id] == nil) == (key.state == .compromised), "\(key.state)")
        }
        #expect(trusted.revoked == Set(keys.filter { $0.state == .compromised }.map(\.id)))
    }

    @Test func `a key that is revoked is not trusted, whoever says so besides`() throws {
        let key = OtherKey()
        let trusted = TrustedKeys([key.trusted()], revoked: [key.id])
        #expect(trusted[key.id] == nil)
        #expect(trusted.isEmpty)
    }

    @Test func `published keys have the agreed form`() throws {
        let active = try #require(try published().keys.first { $0.state == .active })
        let pem = Vectors.publicPEM.replacing("\n", with: "\\n")
        #expect(
            String(decoding: PublishedKeys([active]).bytes, as: UTF8.self)
                == #"{"keys":[{"algorithm":"ECDSA_SHA_256","app":"harbour","id":"#
                + #""\#(Vectors.keyIDText)","publicKey":"\#(pem)","state":"active"}]}"#
        )
    }

    @Test func `no keys are a good list`() throws {
        #expect(try PublishedKeys(parsing: PublishedKeys([]).bytes).keys.isEmpty)
    }

    @Test(arguments: [
        ("", ""), ("[]", ""), ("{}", "/keys"), (#"{"keys":{}}"#, "/keys"),
        (#"{"keys":[1]}"#, "/keys/0"), (#"{"keys":[],"more":1}"#, "/more"),
        (#"{"keys":[{"app":"harbour"}]}"#, "/keys/0/algorithm"),
    ])
    func `what is no list of keys is refused with its place`(text: String, pointer: String) {
        let error = #expect(throws: JSONIssues.self) {
            try PublishedKeys(parsing: Array(text.utf8))
        }
        #expect(error?.issues.first?.pointer.text == pointer)
    }

    @Test(arguments: [
        ("ECDSA_SHA_256", "RSA"), ("harbour", "Harbour"), ("active", "burnt"),
        ("0a1b2c3d", "0A1B2C3D"), ("BEGIN PUBLIC", "BEGIN PUBLICITY"),
    ])
    func `a key with a wrong member is refused`(good: String, bad: String) throws {
        let text = String(decoding: try published().bytes, as: UTF8.self)
        let error = #expect(throws: JSONIssues.self) {
            try PublishedKeys(parsing: Array(text.replacing(good, with: bad).utf8))
        }
        #expect(error?.issues.isEmpty == false)
    }

    @Test func `a key that is published twice is refused`() throws {
        let keys = try published().keys
        let error = #expect(throws: JSONIssues.self) {
            try PublishedKeys(parsing: PublishedKeys(keys + keys).bytes)
        }
        #expect(error?.issues.map(\.pointer.text) == ["/keys"])
    }
}
