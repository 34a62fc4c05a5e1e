import PlimsollJSON
import Testing

@Suite struct ParsingTests {
    private func parse(_ text: String, _ limits: JSONLimits = .default) throws -> JSONValue {
        try JSONValue(parsing: Array(text.utf8), limits: limits)
    }

    @Test func `every kind of value is read`() throws {
        let value = try parse(
            #" { "a" : [ 1 , -2 , true, false , null ] ,"b":{ "c" :"d"},"e":[],"f":{}, "":"" } "#
        )
        #expect(
            value == [
                "a": [1, -2, true, false, nil], "b": ["c": "d"], "e": [], "f": [:], "": "",
            ]
        )
        #expect(value.object?.keys == ["a", "b", "e", "f", ""])
    }

    @Test(arguments: [
        ("0", 0), ("-1", -1), ("10", 10), ("9223372036854775807", Int64.max),
        ("-9223372036854775808", Int64.min),
    ])
    func `a whole number is read to its last digit`(text: String, number: Int64) throws {
        #expect(try parse(text) == .integer(number))
    }

    @Test(arguments: [
        ("01", JSONError.Fault.leadingZero), ("-01", .leadingZero), ("00", .leadingZero),
        ("-0", .negativeZero), ("1.0", .notWhole), ("1e3", .notWhole), ("1E3", .notWhole),
        ("-0.5", .notWhole), ("0.0", .notWhole), ("-0e1", .notWhole),
        ("9223372036854775808", .numberTooLarge), ("-9223372036854775809", .numberTooLarge),
        ("99999999999999999999999999", .numberTooLarge), ("-", .unexpectedEnd),
        ("-a", .unexpectedByte(0x61, needed: "a digit")),
    ])
    func `another number is refused by name`(text: String, fault: JSONError.Fault) {
        #expect(throws: fault) { try reportingFault { try parse("[\(text)") } }
    }

    @Test func `escapes are decoded`() throws {
        let value = try parse(#""\"\\\/\b\f\n\r\té\u00E9\ud83d\ude00x""#)
        #expect(value == "\"\\/\u{8}\u{C}\n\r\téé😀x")
    }

    @Test func `text beyond ASCII is kept scalar for scalar`() throws {
        let text = "e\u{301} é \u{FFFF} \u{10FFFF} 你好 يلزم"
        let read = try parse("\"\(text)\"").string
        #expect(read.map { Array($0.unicodeScalars) } == Array(text.unicodeScalars))
    }

    @Test(arguments: [
        (#""\u0000""#, JSONError.Fault.nullCharacter), (#""\ud800""#, .unpairedSurrogate),
        (#""\ud800x""#, .unpairedSurrogate), (#""\ud800\n""#, .unpairedSurrogate),
        (#""\ud800\ud800""#, .unpairedSurrogate), (#""\ud800\u0041""#, .unpairedSurrogate),
        (#""\udc00""#, .unpairedSurrogate), (#""\udc00\ud800""#, .unpairedSurrogate),
        (#""\x41""#, .badEscape), (#""\u12g4""#, .badEscape), (#""\u123""#, .badEscape),
        (#""\u12"#, .unexpectedEnd), (#""\"#, .unexpectedEnd), (#""abc"#, .unexpectedEnd),
        ("\"\n\"", .controlCharacter(0x0A)), ("\"\\n\u{1F}\"", .controlCharacter(0x1F)),
    ])
    func `a bad string is refused`(text: String, fault: JSONError.Fault) {
        #expect(throws: fault) { try reportingFault { try parse(text) } }
    }

    @Test(
        arguments: [
            [0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xC0, 0x80, 0x22],
            [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22],
            [0x22, 0x5C, 0x6E, 0x80, 0x22], [0xFE, 0xFF, 0x00, 0x31], [0xFF, 0xFE, 0x31, 0x00],
            [0x31, 0x00], [0x00, 0x31], [0x00, 0x00, 0x00, 0x31],
        ] as [[UInt8]]
    )
    func `what is not UTF-8 is refused`(bytes: [UInt8]) {
        #expect(throws: JSONError.Fault.notUTF8) {
            try reportingFault { try JSONValue(parsing: bytes) }
        }
    }

    @Test(arguments: [
        ("", JSONError.Fault.empty), (" \n\t\r", .empty), ("\u{FEFF}1", .byteOrderMark),
        ("1 2", .trailingBytes), ("{}x", .trailingBytes), ("{},", .trailingBytes),
        ("[", .unexpectedEnd), ("[1", .unexpectedEnd), ("[1,", .unexpectedEnd),
        ("{", .unexpectedEnd), ("{\"a\"", .unexpectedEnd), ("{\"a\":", .unexpectedEnd),
        ("{\"a\":1", .unexpectedEnd), ("tru", .unexpectedEnd),
        ("[1,]", .unexpectedByte(0x5D, needed: "a JSON value")),
        ("{\"a\":1,}", .unexpectedByte(0x7D, needed: "the name of a member in quotes")),
        ("{a:1}", .unexpectedByte(0x61, needed: "the name of a member in quotes")),
        ("{1:1}", .unexpectedByte(0x31, needed: "the name of a member in quotes")),
        ("{\"a\" 1}", .unexpectedByte(0x31, needed: "a colon")),
        ("[1 2]", .unexpectedByte(0x32, needed: "a comma or “]”")),
        ("{\"a\":1]", .unexpectedByte(0x5D, needed: "a comma or “}”")),
        ("nulL", .unexpectedByte(0x4C, needed: "null")),
        ("NaN", .unexpectedByte(0x4E, needed: "a JSON value")),
        ("+1", .unexpectedByte(0x2B, needed: "a JSON value")),
        ("'a'", .unexpectedByte(0x27, needed: "a JSON value")),
        ("// a\n1", .unexpectedByte(0x2F, needed: "a JSON value")),
    ])
    func `what is no JSON is refused`(text: String, fault: JSONError.Fault) {
        #expect(throws: fault) { try reportingFault { try parse(text) } }
    }

    @Test(arguments: [
        #"{"a":1,"a":2}"#, #"{"a":1,"b":2,"a":1}"#, #"{"a":1,"\u0061":2}"#,
        "{\"\u{E9}\":1,\"e\u{301}\":2}", #"{"b":1,"a":{"x":1,"y":2,"x":3},"c":1}"#,
    ])
    func `a member that stands twice is refused`(text: String) {
        let error = #expect(throws: JSONError.self) { try parse(text) }
        guard case .duplicate = error?.fault else {
            Issue.record("the fault is \(String(describing: error?.fault))")
            return
        }
    }

    @Test func `a duplicate among many members is found`() throws {
        let members = (0..<20_000).map { "\"m\($0)\":0" }.joined(separator: ",")
        #expect(try parse("{\(members)}", JSONLimits(sizeMaximum: 1 << 20)).object?.count == 20_000)
        #expect(throws: JSONError.Fault.duplicate(key: "m7")) {
            try reportingFault {
                try parse("{\(members),\"m7\":1}", JSONLimits(sizeMaximum: 1 << 20))
            }
        }
    }

    @Test func `an error says where it stands`() {
        let error = #expect(throws: JSONError.self) {
            try parse(#"{"a": [0, {"b/c~": 1.5}]}"#)
        }
        #expect(error?.offset == 19)
        #expect(error?.pointer.text == "/a/1/b~1c~0")
        #expect(
            error?.description
                == "A whole number is needed, without fraction or exponent."
                + " (Byte 19 in /a/1/b~1c~0.)"
        )
    }

    @Test(arguments: ["[", "{\"a\":", "[{\"a\":"])
    func `ten thousand levels of nesting are an ordinary refusal`(opening: String) {
        let limits = JSONLimits(depthMaximum: JSONLimits.depthMaximumAllowed)
        let text = String(repeating: opening, count: 10_000)
        #expect(throws: JSONError.Fault.tooDeep(maximum: limits.depthMaximum)) {
            try reportingFault { try parse(text, limits) }
        }
    }

    @Test func `the limit of depth is exact`() throws {
        let limits = JSONLimits(depthMaximum: 3)
        #expect(try parse("[[[1]]]", limits) == [[[1]]])
        #expect(throws: JSONError.self) { try parse("[[[[]]]]", limits) }
        #expect(try parse("[[[1]],[[2]]]", limits) == [[[1]], [[2]]])
    }

    @Test func `the limit of size is exact`() throws {
        let limits = JSONLimits(sizeMaximum: 5)
        #expect(try parse("\"abc\"", limits) == "abc")
        #expect(throws: JSONError.Fault.tooLarge(maximum: 5)) {
            try reportingFault { try parse("\"abcd\"", limits) }
        }
    }

    @Test func `no cut of a document is read as one`() {
        let whole = Array(#"{"a":[1,"é\n\ud83d\ude00",{"b":null}],"c":true}"#.utf8)
        for length in 0..<whole.count {
            #expect(throws: JSONError.self) { try JSONValue(parsing: Array(whole[..<length])) }
        }
    }

    @Test func `no flipped byte ends the process`() {
        let whole = Array(#"{"a":[1,"é\n\ud83d\ude00",{"b":null}],"c":-12}"#.utf8)
        for index in whole.indices {
            for byte in UInt8.min...UInt8.max {
                var bytes = whole
                bytes[index] = byte
                let value = try? JSONValue(parsing: bytes)
                let again = value.flatMap { try? JSONValue(parsing: $0.canonicalBytes()) }
                #expect(value == again)
            }
        }
    }
}

/// Rethrows what is wrong without the place, so that a test can name it.
private func reportingFault<Value>(_ body: () throws -> Value) throws -> Value {
    do {
        return try body()
    } catch let error as JSONError {
        throw error.fault
    }
}

extension JSONError.Fault: Error {}
