import PlimsollJSON
import Testing

@Suite struct CanonicalTests {
    private func canonical(_ value: JSONValue) -> String {
        String(decoding: value.canonicalBytes(), as: UTF8.self)
    }

    @Test func `members are ordered and nothing is blank`() {
        #expect(
            canonical(["b": [1, nil, true], "a": ["z": "1", "y": [:]], "": false])
                == #"{"":false,"a":{"y":{},"z":"1"},"b":[1,null,true]}"#
        )
    }

    /// The example of RFC 8785, 3.2.3, which orders a supplementary scalar before U+FB33.
    @Test func `members are ordered by their UTF-16`() {
        let value: JSONValue = [
            "\u{20AC}": 1, "\r": 2, "\u{FB33}": 3, "1": 4, "\u{1F600}": 5, "\u{80}": 6,
            "\u{F6}": 7,
        ]
        #expect(
            canonical(value)
                == "{\"\\r\":2,\"1\":4,\"\u{80}\":6,\"\u{F6}\":7,\"\u{20AC}\":1,\"\u{1F600}\":5,"
                + "\"\u{FB33}\":3}"
        )
    }

    @Test func `the order of any two names is the one of their UTF-16`() {
        let names = [
            "", "a", "aa", "b", "\u{7F}", "\u{80}", "\u{7FF}", "\u{800}", "\u{D7FF}", "\u{E000}",
            "\u{EFFF}", "\u{F000}", "\u{FFFF}", "\u{10000}", "\u{10FFFF}", "a\u{E000}",
            "a\u{10000}", "a\u{10000}b",
        ]
        for left in names {
            for right in names where left != right {
                let written = canonical(["\(left)": 0, "\(right)": 1])
                let isBefore = left.utf16.lexicographicallyPrecedes(right.utf16)
                #expect(written.hasSuffix(isBefore ? "1}" : "0}"), "\(left) \(right)")
            }
        }
    }

    @Test func `only what has to be escaped is escaped`() {
        let text = "\"\\/\u{8}\u{9}\u{A}\u{B}\u{C}\u{D}\u{1}\u{1F}\u{7F}é\u{2028}😀"
        #expect(
            canonical(.string(text))
                == #""\"\\/\b\t\n\u000b\f\r\u0001\u001f"# + "\u{7F}é\u{2028}😀\""
        )
    }

    @Test func `numbers are written out in full`() {
        #expect(
            canonical([.integer(.min), .integer(.max), 0, -1])
                == "[-9223372036854775808,9223372036854775807,0,-1]"
        )
    }

    @Test func `canonical bytes come back as they were`() throws {
        let bytes = Array(#"{"a":[1,-2,"x\n\"é"],"b":{"c":null},"d":""}"#.utf8)
        #expect(try JSONValue(parsingCanonical: bytes).canonicalBytes() == bytes)
    }

    @Test(arguments: [
        (#"{"b":1,"a":2}"#, 2), (#"{"a": 1}"#, 5), (#"["\/"]"#, 2), (#"["\u0041"]"#, 2), ("1 ", 1),
        (#"["\u001F"]"#, 7),
    ])
    func `another form of the same value is not canonical`(text: String, offset: Int) {
        let error = #expect(throws: JSONError.self) {
            try JSONValue(parsingCanonical: Array(text.utf8))
        }
        #expect(error?.fault == .notCanonical)
        #expect(error?.offset == offset)
    }

    @Test func `a value is appended to what stands there already`() {
        var bytes = Array("x".utf8)
        JSONValue.object(["a": 1]).appendCanonical(to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == #"x{"a":1}"#)
    }
}
