import PlimsollLog
import Testing

@Suite struct KeyTests {
    private func key(_ text: String, _ kind: NoteKeyKind) throws -> SignerKey {
        let name = try #require(KeyName(text))
        return try #require(SignerKey(name: name, kind: kind, seed: ReferenceVectors.seed))
    }

    @Test func `the key of the reference is encoded as it is there`() throws {
        let key = try key("config.example.com/log", .note).verifierKey
        #expect(key.text == ReferenceVectors.verifierKey)
        #expect(key.id.description == "cb6aff99")
        #expect(key.publicKey.prefix(4) == [0x03, 0xA1, 0x07, 0xBF])
        #expect(try VerifierKey(parsing: ReferenceVectors.verifierKey) == key)
        let witness = try self.key("witness.example.com/w", .cosignature).verifierKey
        #expect(witness.id.description == "f0649885")
        #expect(try VerifierKey(parsing: witness.text) == witness)
    }

    @Test func `a private key reads what it wrote, and its description keeps the secret`() throws {
        for kind in [NoteKeyKind.note, .cosignature] {
            let name = try #require(KeyName("log.example"))
            let key = SignerKey(name: name, kind: kind)
            for text in [key.secretText, key.secretText + "\n"] {
                let read = try SignerKey(parsing: text)
                #expect(read.verifierKey == key.verifierKey)
                #expect(read.secretText == key.secretText)
            }
            #expect("\(key)" == key.verifierKey.text)
            #expect(String(reflecting: key) == key.verifierKey.text)
        }
    }

    @Test func `the private key of the reference has the form of Go's tools`() throws {
        let text = try key("config.example.com/log", .note).secretText
        #expect(
            text == "PRIVATE+KEY+config.example.com/log+cb6aff99"
                + "+AQABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f"
        )
    }

    @Test(arguments: [
        "", "a", "a+cb6aff99", "+cb6aff99+AQ==", "a b+cb6aff99+AQ==", "a+cb6aff9+AQ==",
        "a+CB6AFF99+AQ==", "a+ cb6aff9+AQ==", "a+-b6aff99+AQ==", "a+cb6aff99+", "a+cb6aff99+AQ",
        "config.example.com/log+CB6AFF99+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4",
        "config.example.com/log+cb6aff99+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG",
        "config.example.com/log+cb6aff99+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVQ==",
    ])
    func `a text that is no key is refused`(text: String) {
        #expect(throws: KeyTextError.malformed) { try VerifierKey(parsing: text) }
        #expect(throws: KeyTextError.malformed) { try SignerKey(parsing: text) }
        #expect(throws: KeyTextError.malformed) { try SignerKey(parsing: "PRIVATE+KEY+" + text) }
    }

    @Test func `a public key is one text, without the newline of a file`() {
        #expect(throws: KeyTextError.malformed) {
            try VerifierKey(parsing: ReferenceVectors.verifierKey + "\n")
        }
    }

    @Test func `a key with the id of another is refused`() throws {
        let renamed = ReferenceVectors.verifierKey.replacing("config.", with: "confic.")
        #expect(throws: KeyTextError.self) { try VerifierKey(parsing: renamed) }
        let secret = try key("config.example.com/log", .note).secretText
        let renamedSecret = secret.replacing("config.", with: "confic.")
        #expect(throws: KeyTextError.self) { try SignerKey(parsing: renamedSecret) }
    }

    @Test func `a kind that is not known is named`() throws {
        let mlDSA = "a+cb6aff99+Bg=="
        #expect(throws: KeyTextError.unknownKind(6)) { try VerifierKey(parsing: mlDSA) }
    }

    @Test func `a key signs only what its kind is for`() throws {
        let log = try key("a", .note)
        let witness = try key("a", .cosignature)
        #expect(throws: KeyTextError.otherKind(needed: .cosignature)) { try Cosigner(log) }
        #expect(throws: KeyTextError.otherKind(needed: .note)) { try LogSigner(witness) }
        #expect(log.verifierKey.id != witness.verifierKey.id)
    }

    @Test(arguments: ["", " ", "a b", "a+b", "a\u{A0}b", "a\u{2003}", "a\nb", "\u{7}", "a\u{3000}"])
    func `a name that none can have is refused`(text: String) {
        #expect(KeyName(text) == nil)
    }

    @Test func `two spellings of one letter are two names`() throws {
        let composed = try #require(KeyName("caf\u{E9}.example"))
        let decomposed = try #require(KeyName("cafe\u{301}.example"))
        #expect(composed.text == decomposed.text)
        #expect(composed != decomposed)
        #expect(LogOrigin(composed) != LogOrigin(decomposed))
    }

    @Test func `a key has 32 bytes`() throws {
        let name = try #require(KeyName("a"))
        for count in [0, 31, 33, 64] {
            let bytes = [UInt8](repeating: 1, count: count)
            #expect(SignerKey(name: name, kind: .note, seed: bytes) == nil)
            #expect(VerifierKey(name: name, kind: .note, publicKey: bytes) == nil)
        }
    }
}
