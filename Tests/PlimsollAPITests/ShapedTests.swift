import PlimsollAPI
import PlimsollDomain
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
        let faults = #expect(throws: JSONIssues.self) { try Forecast(["tides": ["high"]]) }
        #expect(faults?.issues.map(\.detail) == ["Found a string; an object is needed."])
    }

    @Test func `a form is read strictly, and written with what follows from it`() throws {
        struct Mooring: Form, Shaped {
            let berth: Int64
            let ship: AppSlug?

            static let shape = Shape<Self>(
                "Mooring",
                Self.init(berth:ship:),
                .required("berth", \.berth, .integer(from: 1)),
                .optional("ship", \.ship, .slug)
            )
            .telling(.required("isFree", \.isFree, .bool))

            private var isFree: Bool { ship == nil }
        }
        let mooring = Mooring(berth: 4, ship: nil)
        let text = String(decoding: mooring.bytes, as: UTF8.self)
        #expect(text == #"{"berth":4,"isFree":true,"ship":null}"#)
        #expect(try Mooring(body: Array(#"{"berth": 4}"#.utf8)) == mooring)
        let problem = #expect(throws: Problem.self) {
            try Mooring(body: Array(#"{"berth": 4, "depth": 12, "ship": "No"}"#.utf8))
        }
        #expect(problem?.errors.map(\.place) == [.body("/ship"), .body("/depth")])
        let schema = JSONValue.object(Mooring.shape.withDryRun.schema.json)
        #expect(schema["properties"]?.object?.keys == ["berth", "ship", "isFree", "dryRun"])
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
