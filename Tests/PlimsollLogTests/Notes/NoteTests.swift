import PlimsollLog
import Testing

@Suite struct NoteTests {
    private static let dash = "\u{2014}"
    /// A line of the right form, by nobody.
    private static let stray = "\(dash) a.example AAAAAQI=\n"

    @Test(arguments: [
        ("text\n", "text\n"), ("two\nlines\n", "two\nlines\n"), ("a\n\nb\n", "a\n\nb\n"),
        ("\n", "\n"), ("\(stray)", "\(stray)"), ("ünï\u{2028}\u{7F}\n", "ünï\u{2028}\u{7F}\n"),
        ("a\n\n\(stray)", "a\n\n\(stray)"),
    ])
    func `the last blank line parts text and signatures`(text: String, expected: String) throws {
        let written = bytes(text + "\n" + Self.stray)
        let note = try SignedNote(parsing: written)
        #expect(note.text == bytes(expected))
        #expect(note.signatures.count == 1)
        #expect(note.signatures[0].keyID == NoteKeyID(1))
        #expect(note.signatures[0].signature == [2])
        #expect(note.bytes == written)
    }

    @Test(arguments: [
        ("", NoteError.unsigned), ("\n", .unsigned), ("text\n", .unsigned),
        ("text\n\n", .unsigned), ("text\n\n\n", .unsigned), ("text\n\(stray)", .unsigned),
        ("text\n\n\(stray)\n", .unsigned),
        ("text\n\n\(stray.dropLast())", .lineNotEnded),
        ("text\n\n\(stray)more", .lineNotEnded),
        ("text\n\nmore\n", .malformedSignature(line: 1)),
        ("text\n\n\(stray)- a.example AAAAAQI=\n", .malformedSignature(line: 2)),
        ("text\n\n\(dash)  a.example AAAAAQI=\n", .malformedSignature(line: 1)),
        ("text\n\n\(dash)a.example AAAAAQI=\n", .malformedSignature(line: 1)),
        ("text\n\n\(dash) a.example AAAAAQI= \n", .malformedSignature(line: 1)),
        ("text\n\n\(dash) a.example\n", .malformedSignature(line: 1)),
        ("text\n\n\(dash) a.example \n", .malformedSignature(line: 1)),
        ("text\n\n\(dash)  AAAAAQI=\n", .malformedSignature(line: 1)),
        ("text\n\n\(dash) a+b AAAAAQI=\n", .malformedSignature(line: 1)),
        ("text\n\n\(dash) a\u{A0}b AAAAAQI=\n", .malformedSignature(line: 1)),
        ("text\n\n\(dash) a.example AAAAAQ==\n", .malformedSignature(line: 1)),
        ("text\n\n\(dash) a.example AAAAAQI\n", .malformedSignature(line: 1)),
        ("text\n\n\(dash) a.example AAAAAQJ=\n", .malformedSignature(line: 1)),
        ("text\n\n\(dash) a.example AAAA_QI=\n", .malformedSignature(line: 1)),
        ("text\r\n\n\(stray)", .controlCharacter), ("te\u{0}xt\n\n\(stray)", .controlCharacter),
        ("te\txt\n\n\(stray)", .controlCharacter), ("text\n\r\n\(stray)", .controlCharacter),
    ])
    func `a hostile note is refused with its fault`(text: String, fault: NoteError) {
        #expect(throws: fault) { try SignedNote(parsing: bytes(text)) }
    }

    @Test(
        arguments: [
            [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xE2, 0x80], [0xF4, 0x90, 0x80, 0x80],
        ] as [[UInt8]]
    )
    func `a note that is not UTF-8 is refused`(wrong: [UInt8]) {
        let note = bytes("te") + wrong + bytes("xt\n\n" + Self.stray)
        #expect(throws: NoteError.notUTF8) { try SignedNote(parsing: note) }
    }

    @Test func `a note has up to a hundred signatures and a million bytes`() throws {
        let most = SignedNote.signaturesMaximum
        #expect(most >= 16)
        let lines = String(repeating: Self.stray, count: most)
        #expect(try SignedNote(parsing: bytes("a\n\n" + lines)).signatures.count == most)
        #expect(throws: NoteError.tooManySignatures) {
            try SignedNote(parsing: bytes("a\n\n" + lines + Self.stray))
        }
        let rest = "\n\n" + Self.stray
        let fill = String(repeating: "a", count: SignedNote.byteCountMaximum - rest.utf8.count)
        #expect(try SignedNote(parsing: bytes(fill + rest)).signatures.count == 1)
        #expect(throws: NoteError.tooLong) { try SignedNote(parsing: bytes("a" + fill + rest)) }
    }

    @Test func `a text that ends within a line cannot be signed`() throws {
        let signatures = try SignedNote(parsing: bytes("a\n\n" + Self.stray)).signatures
        for text in ["", "a"] {
            #expect(throws: NoteError.textNotEnded) {
                try SignedNote(text: bytes(text), signatures: signatures)
            }
        }
        #expect(throws: NoteError.controlCharacter) {
            try SignedNote(text: bytes("a\r\n"), signatures: signatures)
        }
        #expect(throws: NoteError.unsigned) { try SignedNote(text: bytes("a\n"), signatures: []) }
    }

    @Test func `each fault is a sentence`() {
        let faults: [NoteError] = [
            .tooLong, .notUTF8, .controlCharacter, .textNotEnded, .unsigned, .lineNotEnded,
            .malformedSignature(line: 3), .tooManySignatures,
        ]
        #expect(Set(faults.map(\.description)).count == faults.count)
        #expect(faults.allSatisfy { $0.description.hasSuffix(".") })
    }
}
