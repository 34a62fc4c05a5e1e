import PlimsollDomain
import PlimsollJSON
import Testing

/// What an app is handed on keeps its type, and equal values are equal bytes.
@Suite struct OfferValueTests {
    @Test(
        arguments: [
            "x", "", 4, -4, true, false, [], [1, "a", [false]], ["b": 1, "a": ["c": ""]],
        ] as [JSONValue]
    )
    func `a value of every type is kept`(json: JSONValue) throws {
        #expect(try OfferValue(validating: json).json == json)
    }

    @Test(
        arguments: [
            (.null, .null), ([.null], .null), (["a": .null], .null),
            ("\u{7}", .text(.controlCharacter(7))),
            (["a\u{202E}": 1], .text(.bidirectionalControl(0x202E))),
        ] as [(JSONValue, OfferValueFault)]
    )
    func `what clients do not read alike is refused`(json: JSONValue, fault: OfferValueFault) {
        #expect(throws: fault) { try OfferValue(validating: json) }
    }

    @Test func `arrays are nested eight deep and no deeper`() throws {
        var json: JSONValue = 1
        for _ in 0..<OfferValue.depthMaximum { json = [json] }
        #expect(try OfferValue(validating: json).json == json)
        #expect(throws: OfferValueFault.tooDeep) { try OfferValue(validating: [json]) }
    }

    @Test func `the order of members makes no difference`() throws {
        let one = try OfferValue(validating: ["b": 1, "a": 2])
        let other = try OfferValue(validating: ["a": 2, "b": 1])
        #expect(one == other)
        #expect(Set([one, other]).count == 1)
        #expect(one.text == #"{"a":2,"b":1}"#)
    }

    @Test(
        arguments: [
            ("eu", "eu"), ("4", #""4""#), ("true", #""true""#), ("", ""), (4, "4"), (true, "true"),
        ] as [(JSONValue, String)]
    )
    func `a text that reads as another type is told from it`(json: JSONValue, words: String) throws
    {
        #expect(try OfferValue(validating: json).words == words)
    }

    @Test func `a number, a text and a truth are three values`() throws {
        let values = try [1, "1", true, "true"].map { try OfferValue(validating: $0 as JSONValue) }
        #expect(Set(values).count == 4)
    }
}
