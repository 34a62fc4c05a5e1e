import PlimsollJSON
import Testing

@Suite struct ObjectReaderTests {
    private struct Request: Equatable {
        let title: String
        let base: Int64
        let isDry: Bool
        let note: String?
        let target: String
        let tags: [Character]
    }

    /// Reads one of everything the way a handler does.
    private func read(_ value: JSONValue) throws(JSONIssues) -> Request {
        var reader = try ObjectReader(reading: value)
        let title = reader.string("title")
        let base = reader.integer("base")
        let isDry = reader.optionalBool("dry") ?? false
        let note = reader.optionalString("note")
        let target = reader.object("to") { $0.string("place", needing: "a colour", colour) }
        let tags = reader.strings("tags", needing: "one letter", letter)
        return try reader.finish {
            guard let title, let base, let target, let tags else { return nil }
            return Request(
                title: title,
                base: base,
                isDry: isDry,
                note: note,
                target: target,
                tags: tags
            )
        }
    }

    private func colour(_ text: String) -> String? { text == "red" ? text : nil }
    private func letter(_ text: String) -> Character? { text.count == 1 ? text.first : nil }

    private func issues(_ value: JSONValue) -> [String] {
        do throws(JSONIssues) {
            _ = try read(value)
            return []
        } catch {
            return error.issues.map { "\($0.pointer): \($0.detail)" }
        }
    }

    @Test func `of thousands of faults the first hundred are named`() {
        let tags = Array(repeating: JSONValue.string("long"), count: 3000)
        let value: JSONValue = [
            "title": "t", "base": 3, "note": nil, "to": ["place": "red"], "tags": .array(tags),
        ]
        let issues = issues(value)
        #expect(issues.count == 100)
        #expect(issues.last?.hasPrefix("/tags/99: ") == true)
    }

    /// What is wrong with each of a hundred objects, three things each, as it was always told.
    private func faults(of place: Int) -> [String] {
        [
            "/list/\(place)/n: Found the string “x”; a whole number is needed.",
            "/list/\(place)/m: This member is missing; a string is needed.",
            "/list/\(place)/odd: There is no such member here; leave it out.",
        ]
    }

    // Method: three faults in each of a hundred objects, with and without others before them, and
    // three hundred members nobody asked for, at the top and in an object.
    @Test func `of three hundred faults the first hundred are kept, in the order they were met`() {
        let list = Array(repeating: ["n": "x", "odd": 1] as JSONValue, count: 100)
        let all = (0..<100).flatMap(faults)
        for (title, before) in [
            (JSONValue.string("t"), []),
            (1, ["/title: Found a whole number; a string is needed."]),
        ] as [(JSONValue, [String])] {
            var reader = ObjectReader(["title": title, "list": .array(list), "more": 1])
            _ = reader.string("title")
            let read = reader.objects("list") { object -> Int64? in
                let number = object.integer("n")
                _ = object.string("m")
                return number
            }
            #expect(read == nil)
            let kept = Array((before + all).prefix(100))
            #expect(reader.issues.map(\.description) == kept)
            #expect(reader.issues(.refused).map(\.description) == kept)
        }
        var odd = JSONObject()
        for number in 100..<400 { odd["odd\(number)"] = 1 }
        let unknown = { (place: String) in
            (100..<200).map { "\(place)/odd\($0): There is no such member here; leave it out." }
        }
        #expect(ObjectReader(odd).issues(.refused).map(\.description) == unknown(""))
        var outer = ObjectReader(["a": .object(odd)])
        #expect(outer.object("a") { _ in true } == nil)
        #expect(outer.issues.map(\.description) == unknown("/a"))
    }

    @Test func `a good object is read`() throws {
        let request = try read(
            ["title": "t", "base": 3, "note": nil, "to": ["place": "red"], "tags": ["a", "b"]]
        )
        let expected = Request(
            title: "t",
            base: 3,
            isDry: false,
            note: nil,
            target: "red",
            tags: ["a", "b"]
        )
        #expect(request == expected)
    }

    @Test func `everything that is wrong is said at once`() {
        let found = issues(
            [
                "title": 1, "dry": "yes", "note": ["x"], "to": ["place": "blue", "when": 1],
                "tags": ["a", "bc", 3, []], "titel": "t", "a/b": 0,
            ]
        )
        #expect(
            found == [
                "/title: Found a whole number; a string is needed.",
                "/base: This member is missing; a whole number is needed.",
                "/dry: Found the string “yes”; true or false is needed.",
                "/note: Found an array; a string is needed.",
                "/to/place: Found the string “blue”; a colour is needed.",
                "/to/when: There is no such member here; leave it out.",
                "/tags/1: Found the string “bc”; one letter is needed.",
                "/tags/2: Found a whole number; one letter is needed.",
                "/tags/3: Found an array; one letter is needed.",
                "/titel: There is no such member here; leave it out.",
                "/a~1b: There is no such member here; leave it out.",
            ]
        )
    }

    @Test func `a required member is not null`() {
        #expect(
            issues(["title": nil, "base": 1, "to": nil, "tags": []]) == [
                "/title: Found null; a string is needed.",
                "/to: Found null; an object is needed.",
            ]
        )
    }

    @Test(arguments: [[], "x", 1, nil, true] as [JSONValue])
    func `what is no object is refused whole`(value: JSONValue) {
        let found = issues(value)
        #expect(found == [": Found \(value.kind); an object is needed."])
    }

    @Test func `unknown members may be ignored`() throws {
        var reader = ObjectReader(["a": 1, "b": 2])
        let number = reader.integer("a")
        #expect(try reader.finish(.ignored) { number } == 1)
    }

    @Test func `each of several objects is read with its place`() throws {
        var reader = ObjectReader(["list": [["n": 1], 2, ["n": "x"], ["n": 3, "m": 4]]])
        let numbers = reader.objects("list") { $0.integer("n") }
        #expect(numbers == nil)
        #expect(
            reader.issues.map(\.pointer.text) == ["/list/1", "/list/2/n", "/list/3/m"]
        )
    }

    @Test func `a long string is not repeated in its issue`() throws {
        var reader = ObjectReader(["a": .string(String(repeating: "x", count: 100_000))])
        #expect(reader.string("a", needing: "a colour", colour) == nil)
        #expect(reader.issues.map(\.detail) == ["Found a string; a colour is needed."])
    }

    private enum Light: String, CaseIterable {
        case red
        case green
    }

    @Test func `a name of a closed set is read`() throws {
        var reader = try ObjectReader(reading: ["light": "green"])
        #expect(reader.name("light", as: Light.self) == .green)
        #expect(reader.issues(.refused) == [])
    }

    @Test(
        arguments: [
            (["light": "blue"], "Found the string “blue”; one of red, green is needed."),
            (["light": 7], "Found a whole number; one of red, green is needed."),
            (["light": nil], "Found null; one of red, green is needed."),
            ([:], "This member is missing; one of red, green is needed."),
        ] as [(JSONValue, String)]
    )
    func `what is no name of a closed set is refused once, with those there are`(
        _ value: JSONValue,
        _ detail: String
    ) throws {
        var reader = try ObjectReader(reading: value)
        #expect(reader.name("light", as: Light.self) == nil)
        #expect(reader.issues(.refused).map(\.description) == ["/light: \(detail)"])
    }
}
