import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import Testing

@Suite struct ShapeTests {
    private struct Berth: Form, Shaped {
        let number: Int64
        let ship: AppSlug?
        let flags: [Platform]
        let note: String?

        static let shape = Shape<Self>(
            "Berth",
            Self.init(number:ship:flags:note:),
            .required("number", \.number, .integer(from: 1)),
            .optional("ship", \.ship, .slug),
            .usual("flags", \.flags, .array(of: .names), []),
            .optional("note", \.note, .string, none: .leftOut)
        )
        .telling(.required("isFree", \.isFree, .bool))

        private var isFree: Bool { ship == nil }
    }

    private struct Quay: Answer, Shaped {
        let berths: [Berth]
        let first: Berth?

        static let shape = Shape<Self>(
            nil,
            Self.init(berths:first:),
            .required("berths", \.berths, .objects(Berth.shape)),
            .nullable("first", \.first, .object(Berth.shape))
        )
    }

    @Test func `all faults are told, in the order of the members`() throws {
        let body = #"{"note": 3, "number": "one", "flags": ["ios", "amiga"], "ship": 7, "sail": 1}"#
        var reader = try ObjectReader(parsing: Array(body.utf8))
        #expect(Berth(&reader) == nil)
        #expect(
            reader.issues(.refused).map(\.pointer.text)
                == ["/number", "/ship", "/flags/1", "/note", "/sail"]
        )
    }

    @Test func `what is written is read again, and what follows from it is told`() throws {
        let berth = Berth(number: 4, ship: nil, flags: [.ios], note: nil)
        let text = String(decoding: berth.bytes, as: UTF8.self)
        #expect(text == #"{"flags":["ios"],"isFree":true,"number":4,"ship":null}"#)
        let quay = Quay(berths: [berth], first: nil)
        #expect(try Quay(.object(quay.json)) == quay)
    }

    @Test func `what is left out is as usual`() throws {
        var reader = try ObjectReader(parsing: Array(#"{"number": 4}"#.utf8))
        #expect(Berth(&reader) == Berth(number: 4, ship: nil, flags: [], note: nil))
        #expect(reader.issues(.refused) == [])
    }

    @Test func `an answer may say more than is known, in objects inside it too`() throws {
        let said: JSONValue = [
            "berths": [["number": 4, "depth": 12]], "first": nil, "harbour": "Poole",
        ]
        #expect(try Quay(said).berths.map(\.number) == [4])
        var reader = try ObjectReader(reading: said)
        _ = Quay(&reader)
        #expect(reader.issues(.refused).map(\.pointer.text) == ["/berths/0/depth", "/harbour"])
    }

    @Test func `an answer of a service of before means what it did not say, and a form does not`()
        throws
    {
        struct Tide: Answer, Shaped {
            let height: Int64
            let isSpring: Bool

            static let shape = Shape<Self>(
                nil,
                Self.init(height:isSpring:),
                .required("height", \.height, .integer(from: 0)),
                .required("spring", \.isSpring, .bool, before: false)
            )
        }
        #expect(try Tide(["height": 4]) == Tide(height: 4, isSpring: false))
        #expect(Tide.shape.schema.json["required"] == ["height", "spring"])
        var reader = try ObjectReader(reading: ["height": 4])
        #expect(Tide(&reader) == nil)
        #expect(reader.issues(.refused).map(\.pointer.text) == ["/spring"])
    }

    @Test func `a schema carries what it refers to, however deep`() {
        #expect(Quay.shape.named("Quay").reference.components.keys.sorted() == ["Berth", "Quay"])
        #expect(Quay.shape.reference.components.keys.sorted() == ["Berth"])
        #expect(!Quay.shape.allowsNothing)
    }

    @Test func `what stands in the place of an object is named`() {
        let said: JSONValue = ["berths": ["four", ["number": 4]], "first": "none"]
        let faults = #expect(throws: JSONIssues.self) { try Quay(said) }
        #expect(
            faults?.issues.map(\.detail) == [
                "Found a string; an object is needed.",
                "Found the string “none”; an object is needed.",
            ]
        )
    }

    @Test func `the schema says which members there have to be, and refers to what has a name`() {
        let berth = JSONValue.object(Berth.shape.withDryRun.schema.json)
        #expect(berth["required"] == ["number", "isFree"])
        #expect(
            berth["properties"]?.object?.keys
                == ["number", "ship", "flags", "note", "isFree", "dryRun"]
        )
        let quay = JSONValue.object(Quay.shape.schema.json)
        #expect(quay["required"] == ["berths", "first"])
        let items = quay["properties"]?["berths"]?["items"]
        #expect(items == ["$ref": "#/components/schemas/Berth"])
    }
}
