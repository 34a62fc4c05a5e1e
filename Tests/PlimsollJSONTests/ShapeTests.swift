import PlimsollJSON
import Testing

@Suite struct ShapeTests {
    private enum Flag: String, CaseIterable {
        case quarantine
        case pilot
    }

    private struct Berth: Equatable {
        let number: Int64
        let ship: String?
        let flags: [Flag]
        let note: String?

        static let shape = Shape<Self>(
            "Berth",
            Self.init(number:ship:flags:note:),
            .required("number", \.number, .integer(from: 1)),
            .optional("ship", \.ship, .string),
            .usual("flags", \.flags, .array(of: .names), []),
            .optional("note", \.note, .string, none: .leftOut)
        )
        .telling(.required("isFree", \.isFree, .bool))

        private var isFree: Bool { ship == nil }
    }

    private struct Quay: Equatable {
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
        let body =
            #"{"note": 3, "number": "one", "flags": ["pilot", "skull"], "ship": 7, "sail": 1}"#
        var reader = try ObjectReader(parsing: Array(body.utf8))
        #expect(Berth.shape.read(&reader) == nil)
        #expect(
            reader.issues(.refused).map(\.pointer.text)
                == ["/number", "/ship", "/flags/1", "/note", "/sail"]
        )
    }

    @Test func `what is written is read again, and what follows from it is told`() throws {
        let berth = Berth(number: 4, ship: nil, flags: [.pilot], note: nil)
        let text = String(decoding: Berth.shape.json(berth).canonicalBytes(), as: UTF8.self)
        #expect(text == #"{"flags":["pilot"],"isFree":true,"number":4,"ship":null}"#)
        let quay = Quay(berths: [berth], first: nil)
        var reader = try ObjectReader(reading: .object(Quay.shape.json(quay)))
        reader.isLenient = true
        #expect(Quay.shape.read(&reader) == quay)
        #expect(reader.issues(.ignored) == [])
    }

    @Test func `what is left out is as usual`() throws {
        var reader = try ObjectReader(parsing: Array(#"{"number": 4}"#.utf8))
        #expect(
            Berth.shape.read(&reader) == Berth(number: 4, ship: nil, flags: [], note: nil)
        )
        #expect(reader.issues(.refused) == [])
    }

    @Test func `what nobody knows is a fault, in objects inside it too`() throws {
        var reader = try ObjectReader(reading: [
            "berths": [["number": 4, "depth": 12]], "first": nil, "harbour": "Poole",
        ])
        _ = Quay.shape.read(&reader)
        #expect(reader.issues(.refused).map(\.pointer.text) == ["/berths/0/depth", "/harbour"])
    }

    @Test func `a schema carries what it refers to, however deep`() {
        #expect(Quay.shape.named("Quay").reference.components.keys.sorted() == ["Berth", "Quay"])
        #expect(Quay.shape.reference.components.keys.sorted() == ["Berth"])
        #expect(!Quay.shape.allowsNothing)
    }

    @Test func `what stands in the place of an object is named`() throws {
        var reader = try ObjectReader(reading: [
            "berths": ["four", ["number": 4]], "first": "none",
        ])
        #expect(Quay.shape.read(&reader) == nil)
        #expect(
            reader.issues(.refused).map(\.detail) == [
                "Found a string; an object is needed.",
                "Found the string “none”; an object is needed.",
            ]
        )
    }

    @Test func `the schema says which members there have to be, and refers to what has a name`() {
        let added = Berth.shape.adding(.optional("tide", .string))
        let berth = JSONValue.object(added.schema.json)
        #expect(berth["required"] == ["number", "isFree"])
        #expect(
            berth["properties"]?.object?.keys
                == ["number", "ship", "flags", "note", "isFree", "tide"]
        )
        let quay = JSONValue.object(Quay.shape.schema.json)
        #expect(quay["required"] == ["berths", "first"])
        let items = quay["properties"]?["berths"]?["items"]
        #expect(items == ["$ref": "#/components/schemas/Berth"])
    }
}
