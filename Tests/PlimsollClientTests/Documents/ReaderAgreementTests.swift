import Foundation
import PlimsollTestSupport
import Testing

@testable import PlimsollClient

/// Holds the reader, which reads texts on demand and looks at bytes by blocks, against one that
/// reads everything at once and byte by byte: the same value, or the same fault at the same place.
@Suite struct ReaderAgreementTests {
    private enum Outcome: Equatable {
        case read([UInt8])
        case refused(String, Int)

        /// All that was read, written out: texts that are equal may still be other bytes.
        init(_ read: () throws(JSONFault) -> JSONObject) {
            do throws(JSONFault) {
                self = .read(Array("\(try read())".utf8))
            } catch {
                self = .refused(error.description, error.offset)
            }
        }
    }

    private static func compare(_ bytes: [UInt8]) -> Bool {
        let data = Data(bytes)
        let ours = Outcome { () throws(JSONFault) in try JSONReader.object(in: data) }
        let theirs = Outcome { () throws(JSONFault) in try EagerReader.object(in: data) }
        #expect(ours == theirs, "\(String(decoding: bytes, as: UTF8.self).debugDescription)")
        if case .read = ours { return true }
        return false
    }

    private static let texts = [
        "", "Too old.", String(repeating: "Bitte aktualisieren. ", count: 9), "قديم جدا",
        #"Line\n\nline \"quoted\" \\ \/ \u00e9 e\u0301 \uD83D\uDEA2 🚢 \b\f\r\t"#,
        String(repeating: "עברית\\n", count: 20),
    ]

    private static var documents: [[UInt8]] {
        ["ios", "macos", "android"].flatMap { platform in
            texts.map { text in
                var draft = DocumentDraft()
                draft.platform = platform
                let value = platform == "android" ? "26" : "\"3.2.0\""
                let texts = "{\"en\":\"\(text)\",\"zh-Hant\":\"\(text)\"}"
                for name in ["minimumSDKVersion", "recommendedOSVersion", "recommendedAppVersion"] {
                    draft.members[name] =
                        "{ \"value\" :\(value),\"title\":\(texts),\"description\":\(texts)}"
                }
                draft.members["kind"] = #"[{"a":-1.5e3,"b":[]},null,true,false,{},"\u0041"]"#
                return Array(draft.body)
            }
        }
    }

    private static let values = [
        "1", "-0", "01", "1.", ".5", "1e", "1e308", "1e309", "-1E-400", "0.1", "+1", "NaN",
        "9223372036854775807", "9223372036854775808", "-9223372036854775808",
        String(repeating: "9", count: 400), "tru", "nul", "truefalse", "'a'", "[1,]", "[1 2]", "[1",
        "{\"b\"}", "{\"b\":1,}", "{b:1}", "{\"b\":1,\"b\":1}", "{\"b\":1,\"\\u0062\":1}",
        "{\"é\":1,\"e\u{301}\":1}", "{\"é\":1,\"\\u0065\\u0301\":1}", "\"a", "\"a\\", "\"\\x\"",
        "\"\\u12\"", "\"\\u12é4\"", "\"\\uD83D\"", "\"\\uD83Dx\"", "\"\\uD83D\\n\"",
        "\"\\uD83D\\u0041\"", "\"\\uDEA2\"", "\"\\uD83D\\uD83D\"", "\"\\u0000\"", "\"\u{0}\"",
        "\"\\n\u{1F}\"", "\"\u{7F}\u{2028}\"", "\"\\n", "\"\\ud83d\\ude", "1}x", "1} \n", "1},{",
    ]

    @Test func `documents and their bad twins are read alike`() {
        for document in Self.documents {
            #expect(Self.compare(document))
            #expect(!Self.compare(document + document))
            for length in stride(from: 0, to: document.count, by: 7) {
                #expect(!Self.compare(Array(document.prefix(length))))
            }
        }
        for value in Self.values { _ = Self.compare(Array("{\"a\":\(value)}".utf8)) }
        for top in ["", " ", "[]", "\"a\"", "1", "\u{FEFF}{}", " \t\r\n{ } \n", "{}{}", "{} 1"] {
            _ = Self.compare(Array(top.utf8))
        }
    }

    @Test func `depth ends at the same place`() {
        for depth in [1, 16, 30, 31, 32, 33, 10_000] {
            for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
                let opened = String(repeating: open, count: depth)
                let closed = String(repeating: close, count: depth)
                _ = Self.compare(Array("{\"a\":\(opened)1\(closed)}".utf8))
                _ = Self.compare(Array("{\"a\":\(opened)".utf8))
            }
        }
    }

    /// Whatever ends a text or is no text at all, wherever in a block it stands.
    @Test func `every place of a long text is looked at`() {
        let plain = Array(String(repeating: "ab é ", count: 16).utf8)
        for place in 0...plain.count {
            for odd in [[0x22], [0x5C], [0x5C, 0x6E], [0x1F], [0x00], [0x7F], [0xFF], [0xC3]] {
                let text = plain[..<place] + odd.map(UInt8.init) + plain[place...]
                _ = Self.compare(Array("{\"a\":\"".utf8) + text + Array("\"}".utf8))
                _ = Self.compare(Array("{\"".utf8) + text + Array("\":1}".utf8))
                _ = Self.compare(Array("{\"a\":\"".utf8) + text)
            }
        }
    }

    @Test(arguments: SeededGenerator.seeds)
    func `changed bytes are read alike`(_ seed: UInt64) {
        var mutations = Mutations(seed: seed)
        var accepted = 0
        for document in Self.documents {
            for _ in 1...100 where Self.compare(mutations.mutated(document)) { accepted += 1 }
        }
        #expect((1..<1800).contains(accepted))
    }

    @Test func `how a text is escaped makes no other document`() throws {
        let one = try JSONReader.object(in: Data(#"{"a":{"en":"\u0041\/é"}}"#.utf8))
        let other = try JSONReader.object(in: Data(#"{"a":{"en":"A/é"}}"#.utf8))
        #expect(one == other)
        #expect(one.hashValue == other.hashValue)
        #expect("\(one)" == "\(other)")
        #expect(try one != JSONReader.object(in: Data(#"{"a":{"en":"A/è"}}"#.utf8)))
    }
}
