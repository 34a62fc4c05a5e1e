import Foundation
import PlimsollTestSupport
import Testing

@testable import PlimsollClient

@Suite struct VerifierTests {
    @Test func `what is signed with a pinned key is taken`() async throws {
        try await Harbour.with { harbour in
            let document = try harbour.verifier.document(from: harbour.signed())
            #expect(document.stamp.sequence == 113)
        }
    }

    @Test func `one byte changed anywhere is refused`() async throws {
        try await Harbour.with { harbour in
            let signed = try harbour.signed()
            let verifier = try harbour.verifier
            for index in signed.body.indices {
                var body = signed.body
                body[index] ^= 1
                let other = SignedDocument(
                    body: body,
                    signature: signed.signature,
                    date: signed.date
                )
                #expect(try code { _ = try verifier.document(from: other) } == .signatureWrong)
            }
            for body in [signed.body.dropLast(), signed.body + Data("\n".utf8), Data()] {
                let other = SignedDocument(
                    body: body,
                    signature: signed.signature,
                    date: signed.date
                )
                #expect(try code { _ = try verifier.document(from: other) } == .signatureWrong)
            }
        }
    }

    @Test func `a date that was not signed is refused`() async throws {
        try await Harbour.with { harbour in
            let signed = try harbour.signed()
            let verifier = try harbour.verifier
            for (date, expected) in [
                (nil, .signatureMissing), ("", .signatureMalformed),
                ("Sat, 21 Nov 2026 10:22:06 GMT", .signatureWrong),
                ("Sat, 21 Nov 2026\n10:22:06 UTC", .signatureMalformed),
                (String(repeating: "a", count: 65), .signatureMalformed),
            ] as [(String?, AvailabilityError.Code)] {
                let other = SignedDocument(
                    body: signed.body,
                    signature: signed.signature,
                    date: date
                )
                #expect(try code { _ = try verifier.document(from: other) } == expected)
            }
        }
    }

    @Test func `a key's id may be in any script, but no mark joins a quote`() async throws {
        try await Harbour.with { harbour in
            let signed = try harbour.signed()
            let header = try #require(signed.signature)
            let publisher = harbour.publisher
            for (id, expected) in [
                ("é", nil), ("مفتاح", nil), ("\u{301}x", .signatureMalformed),
            ] as [(String, AvailabilityError.Code?)] {
                let verifier = DocumentVerifier(
                    keys: try PinnedKeys(pem: [id: publisher.pem]),
                    app: "harbour",
                    platform: .ios
                )
                let other = SignedDocument(
                    body: signed.body,
                    signature: header.replacingOccurrences(of: publisher.keyID, with: id),
                    date: signed.date
                )
                #expect(try code { _ = try verifier.document(from: other) } == expected)
            }
        }
    }

    @Test func `a header of another form is refused`() async throws {
        try await Harbour.with { harbour in
            let signed = try harbour.signed()
            let verifier = try harbour.verifier
            let header = try #require(signed.signature)
            let id = harbour.publisher.keyID
            for bad in [
                "", header + "\"", header.replacingOccurrences(of: ",", with: ", "),
                header.replacingOccurrences(of: "keyId", with: "keyid"),
                header.replacingOccurrences(of: id, with: ""), header + ",alg=\"none\"",
                "keyId=\"\(id)\"", "keyId=\"\(id)\",signature=\"\"",
                "keyId=\"\(id)\",signature=\"MEUCIQ==\"", "keyId=\"\(id)\",signature=\"*\"",
                header + String(repeating: "a", count: 300),
            ] {
                let other = SignedDocument(body: signed.body, signature: bad, date: signed.date)
                #expect(
                    try code { _ = try verifier.document(from: other) } == .signatureMalformed,
                    "\(bad)"
                )
            }
            let none = SignedDocument(body: signed.body, signature: nil, date: signed.date)
            #expect(try code { _ = try verifier.document(from: none) } == .signatureMissing)
        }
    }

    @Test func `a key that is not pinned, or has another's id, is refused`() async throws {
        try await Harbour.with { harbour in
            let verifier = try harbour.verifier
            let body = DocumentDraft().body
            for (stranger, expected) in [
                (Publisher(), .keyUnknown),
                (Publisher(keyID: harbour.publisher.keyID), .signatureWrong),
                (Publisher(keyID: harbour.publisher.keyID.uppercased()), .keyUnknown),
            ] as [(Publisher, AvailabilityError.Code)] {
                let headers = try stranger.headers(for: body)
                let signed = SignedDocument(
                    body: body,
                    signature: headers.signature,
                    date: headers.date
                )
                #expect(try code { _ = try verifier.document(from: signed) } == expected)
            }
        }
    }

    @Test func `a document of another app or platform is refused, however well signed`()
        async throws
    {
        try await Harbour.with { harbour in
            let verifier = try harbour.verifier
            var draft = DocumentDraft()
            draft.app = "marina"
            let otherApp = try harbour.signed(draft)
            #expect(try code { _ = try verifier.document(from: otherApp) } == .anotherApp)
            draft.app = "harbour"
            draft.platform = "macos"
            let otherPlatform = try harbour.signed(draft)
            #expect(try code { _ = try verifier.document(from: otherPlatform) } == .anotherPlatform)
        }
    }

    @Test func `signed nonsense is refused as nonsense`() async throws {
        try await Harbour.with { harbour in
            let signed = try harbour.signed(Data("hello".utf8))
            let verifier = try harbour.verifier
            #expect(try code { _ = try verifier.document(from: signed) } == .documentMalformed)
        }
    }
}

@Suite struct PinnedKeysTests {
    private func keysFile(_ keys: [(Publisher, app: String, state: String)]) -> Data {
        let list = keys.map { key, app, state in
            let pem = key.pem.replacingOccurrences(of: "\n", with: "\\n")
            return """
                {"algorithm":"ECDSA_SHA_256","app":"\(app)","id":"\(key.keyID)",\
                "publicKey":"\(pem)","state":"\(state)"}
                """
        }
        return Data("{\"keys\":[\(list.joined(separator: ","))]}".utf8)
    }

    @Test func `of a keys file the keys of the app that sign or will are pinned`() throws {
        let keys = (0..<5).map { _ in Publisher() }
        let file = keysFile([
            (keys[0], "harbour", "active"), (keys[1], "harbour", "added"),
            (keys[2], "harbour", "retired"), (keys[3], "harbour", "compromised"),
            (keys[4], "marina", "active"),
        ])
        let pinned = try PinnedKeys(keysFile: file, app: "harbour")
        #expect(pinned.ids == [keys[0].keyID, keys[1].keyID].sorted())
    }

    @Test func `a document that a retired key signed is refused`() async throws {
        try await Harbour.with { harbour in
            let file = keysFile([
                (harbour.publisher, "harbour", "retired"), (Publisher(), "harbour", "active"),
            ])
            let verifier = DocumentVerifier(
                keys: try PinnedKeys(keysFile: file, app: "harbour"),
                app: "harbour",
                platform: .ios
            )
            let signed = try harbour.signed()
            #expect(try code { _ = try verifier.document(from: signed) } == .keyUnknown)
        }
    }

    @Test func `what is no key, and no key at all, is refused`() throws {
        #expect(try code { _ = try PinnedKeys(pem: [:]) } == .configurationWrong)
        #expect(try code { _ = try PinnedKeys(pem: ["a": "no key"]) } == .configurationWrong)
        let file = keysFile([(Publisher(), "harbour", "retired")])
        for bytes in [
            file, Data(), Data("{}".utf8), Data("{\"keys\":[{\"app\":\"harbour\"}]}".utf8),
        ] {
            #expect(
                try code { _ = try PinnedKeys(keysFile: bytes, app: "harbour") }
                    == .configurationWrong
            )
        }
    }
}
