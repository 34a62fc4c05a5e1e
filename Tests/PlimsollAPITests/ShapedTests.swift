import PlimsollAPI
import PlimsollJSON
import Testing

@Suite struct ShapedTests {
    private struct Tide: Answer, Shaped {
        let height: Int64
        let isSpring: Bool

        static let shape = Shape<Self>(
            nil,
            Self.init(height:isSpring:),
            .required("height", \.height, .integer(from: 0)),
            .required("spring", \.isSpring, .bool, before: false)
        )
    }

    @Test func `an answer may say more than is known, in objects inside it too`() throws {
        struct Forecast: Answer, Shaped {
            let tides: [Tide]

            static let shape = Shape<Self>(
                nil,
                Self.init(tides:),
                .required("tides", \.tides, .objects(Tide.shape))
            )
        }
        let said: JSONValue = [
            "tides": [["height": 4, "spring": true, "wind": 12]], "harbour": "Poole",
        ]
        #expect(try Forecast(said).tides == [Tide(height: 4, isSpring: true)])
    }

    @Test func `an answer of a service of before means what it did not say, and a form does not`()
        throws
    {
        #expect(try Tide(["height": 4]) == Tide(height: 4, isSpring: false))
        #expect(Tide.shape.schema.json["required"] == ["height", "spring"])
        var reader = try ObjectReader(reading: ["height": 4])
        #expect(Tide(&reader) == nil)
        #expect(reader.issues(.refused).map(\.pointer.text) == ["/spring"])
    }

    @Test func `the answer to a write may say that it was a dry run`() {
        let tide = JSONValue.object(Tide.shape.withDryRun.schema.json)
        #expect(tide["required"] == ["height", "spring"])
        #expect(tide["properties"]?["dryRun"] == ["anyOf": [["const": true], ["type": "null"]]])
    }
}
