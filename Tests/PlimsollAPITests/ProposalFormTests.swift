import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import Testing

@Suite struct ProposalFormTests {
    @Test func `every operation is read`() throws {
        let form = try ProposalForm(
            body: Array(
                #"""
                {"title": "Raise the line", "reason": "3.1 loses data", "base": 42, "operations": [
                  {"op": "setValue", "platform": "ios", "threshold": "minimumApp", "value": "3.2.0"},
                  {"op": "setValue", "platform": "android", "threshold": "minimumApp", "value": 35},
                  {"op": "setText", "platform": "ios", "threshold": "minimumApp",
                   "part": "description", "language": "en-gb", "text": "Please update."},
                  {"op": "clearThreshold", "platform": "ios", "threshold": "recommendedOS"},
                  {"op": "clearValue", "platform": "ios", "threshold": "recommendedApp"},
                  {"op": "removeText", "platform": "ios", "threshold": "minimumApp",
                   "part": "title", "language": "cy"}]}
                """#.utf8
            )
        )
        let english = try #require(LanguageTag("en-GB"))
        let welsh = try #require(LanguageTag("cy"))
        let version = try #require(AppleVersion("3.2.0"))
        let code = try #require(AndroidVersion(35))
        #expect(form.base == Position(42))
        #expect(
            form.operations == [
                Operation(.ios, .minimumApp, .setValue(.dotted(version))),
                Operation(.android, .minimumApp, .setValue(.integer(code))),
                Operation(
                    .ios,
                    .minimumApp,
                    .setText(.description, english, try Text(validating: "Please update."))
                ),
                Operation(.ios, .recommendedOS, .clearThreshold),
                Operation(.ios, .recommendedApp, .clearValue),
                Operation(.ios, .minimumApp, .removeText(.title, welsh)),
            ]
        )
    }

    @Test func `operations on offers are read`() throws {
        let form = try ProposalForm(
            body: Array(
                #"""
                {"title": "Offer it", "base": 42, "operations": [
                  {"op": "setOffers", "platform": "android", "offers": [
                    {"requiredVersion": 320, "requirements": {"os": 26}}, {"lastVersion": 0}]},
                  {"op": "insertOffer", "platform": "ios", "at": 0, "offer":
                    {"requiredVersion": "3.2.0-15", "notification": "ALWAYS",
                     "requirements": {"os": "17.0.0", "custom": {"region": "eu"}},
                     "metadata": {"required.title.de": "Zu alt", "hard": true}}},
                  {"op": "replaceOffer", "platform": "jvm", "at": 1, "offer":
                    {"lastVersion": "3.4.0", "requiredVersion": null, "requirements": {"os": 17}}},
                  {"op": "moveOffer", "platform": "ios", "from": 2, "to": 0},
                  {"op": "removeOffer", "platform": "ios", "at": 1}]}
                """#.utf8
            )
        )
        let words = form.operations.map { operation -> String in
            guard case .offers(let edit) = operation.subject else { return "" }
            switch edit {
            case .set(let offers): return offers.map(\.sentence).joined(separator: "; ")
            case .insert(let offer, let place): return "\(place) \(offer.sentence)"
            case .move(let from, let to): return "\(from) to \(to)"
            case .replace(let place, let offer): return "\(place) \(offer.sentence)"
            case .remove(let place): return "\(place)"
            }
        }
        #expect(
            words == [
                "from 26 on: required 320, told once; for everybody: last 0, told once",
                "0 from 17.0.0 on, region is eu: required 3.2.0-15, told always, with 2 of metadata",
                "1 from 17 on: last 3.4.0, told once", "2 to 0", "1",
            ]
        )
        #expect(try ProposalForm(body: form.json.canonicalBytes()) == form)
    }

    @Test(arguments: [
        (
            #"{"op":"insertOffer","platform":"ios","at":0,"offer":{"requiredVersion":3}}"#,
            "/operations/0/offer/requiredVersion"
        ),
        (
            #"{"op":"insertOffer","platform":"ios","at":0,"offer":{"requiredVersion":"3.2"}}"#,
            "/operations/0/offer/requiredVersion"
        ),
        (
            #"{"op":"insertOffer","platform":"android","at":0,"offer":{"lastVersion":"320"}}"#,
            "/operations/0/offer/lastVersion"
        ),
        (
            #"{"op":"insertOffer","platform":"android","at":0,"offer":{"lastVersion":2147483648}}"#,
            "/operations/0/offer/lastVersion"
        ),
        (
            #"{"op":"insertOffer","platform":"jvm","at":0,"offer":{"lastVersion":"1.0.0-2"}}"#,
            "/operations/0/offer/lastVersion"
        ),
        (#"{"op":"insertOffer","platform":"ios","at":-1,"offer":{}}"#, "/operations/0/at"),
        (#"{"op":"insertOffer","platform":"ios","at":"0","offer":{}}"#, "/operations/0/at"),
        (#"{"op":"insertOffer","platform":"ios","offer":{}}"#, "/operations/0/at"),
        (#"{"op":"insertOffer","platform":"ios","at":0}"#, "/operations/0/offer"),
        (#"{"op":"insertOffer","platform":"ios","at":0,"offer":[]}"#, "/operations/0/offer"),
        (
            #"{"op":"insertOffer","platform":"ios","at":0,"offer":{"required_version":"3.2.0"}}"#,
            "/operations/0/offer/required_version"
        ),
        (#"{"op":"setOffers","platform":"ios","offers":{}}"#, "/operations/0/offers"),
        (#"{"op":"setLegacyOffer","platform":"ios"}"#, "/operations/0/legacy"),
        (#"{"op":"setLegacyOffer","platform":"ios","legacy":[]}"#, "/operations/0/legacy"),
        (
            #"{"op":"setLegacyOffer","platform":"ios","legacy":{"minimum_version":"3"}}"#,
            "/operations/0/legacy"
        ),
        (
            #"{"op":"setLegacyOffer","platform":"jvm","legacy":{"latest_version":{"version":"3"}}}"#,
            "/operations/0/legacy"
        ),
        (
            #"{"op":"setLegacyOffer","platform":"android","legacy":{"latest_version":{"version":"3.0"}}}"#,
            "/operations/0/legacy"
        ),
        (
            #"{"op":"setLegacyOffer","platform":"ios","legacy":{"latest_version":{"version":"3","x":1}}}"#,
            "/operations/0/legacy"
        ),
        (#"{"op":"removeLegacyOffer","platform":"ios","legacy":{}}"#, "/operations/0/legacy"),
        (#"{"op":"setOffers","platform":"ios","offers":[1]}"#, "/operations/0/offers/0"),
        (
            #"{"op":"setOffers","platform":"ios","offers":[{"notification":"once"}]}"#,
            "/operations/0/offers/0/notification"
        ),
        (
            #"{"op":"setOffers","platform":"ios","offers":[{"requirements":{"os":"15"}}]}"#,
            "/operations/0/offers/0/requirements/os"
        ),
        (
            #"{"op":"setOffers","platform":"ios","offers":[{"requirements":{"custom":{"min-ram":"1"}}}]}"#,
            "/operations/0/offers/0/requirements/custom/min-ram"
        ),
        (
            #"{"op":"setOffers","platform":"ios","offers":[{"metadata":{"a":null}}]}"#,
            "/operations/0/offers/0/metadata/a"
        ),
        (
            #"{"op":"setOffers","platform":"ios","offers":[{"metadata":{"a":{"b":["\u0007"]}}}]}"#,
            "/operations/0/offers/0/metadata/a"
        ),
        (
            #"{"op":"setOffers","platform":"ios","offers":[{"metadata":{"a b":"c"}}]}"#,
            "/operations/0/offers/0/metadata/a b"
        ),
        (#"{"op":"moveOffer","platform":"ios","from":0}"#, "/operations/0/to"),
        (
            #"{"op":"removeOffer","platform":"ios","at":0,"threshold":"minimumApp"}"#,
            "/operations/0/threshold"
        ),
        (#"{"op":"offers","platform":"ios","threshold":"minimumOS"}"#, "/operations/0/op"),
    ])
    func `a bad twin of an operation on offers is refused by name`(
        operation: String,
        pointer: String
    ) throws {
        let body = #"{"title":"Offer it","base":42,"operations":[\#(operation)]}"#
        let problem = #expect(throws: Problem.self) { try ProposalForm(body: Array(body.utf8)) }
        #expect(problem?.errors.map(\.place) == [.body(Pointer(pointer))])
    }

    @Test func `what is written is read again`() throws {
        let form = ProposalForm(
            title: try Title(validating: "Raise the line"),
            reason: nil,
            base: Position(7),
            operations: [
                Operation(.ios, .minimumOS, .clearThreshold),
                Operation(
                    .ios,
                    .minimumApp,
                    .setText(
                        .title,
                        try #require(LanguageTag("ar")),
                        try Text(validating: "خط \"مهم\" \\ \n نهاية")
                    )
                ),
            ]
        )
        #expect(try ProposalForm(body: form.bytes) == form)
    }

    @Test func `everything wrong is said at once, each at its place`() throws {
        let problem = try refusal(
            of: #"""
                {"titel": "x", "reason": 5, "base": "42", "operations": [
                  {"op": "setValue", "platform": "ios", "threshold": "minimumApp", "value": "1.2.3.4"},
                  {"op": "setText", "platform": "ios", "threshold": "minimumApp", "part": "footer",
                   "language": "en_GB", "text": "a\u202Eb", "value": "1"},
                  {"op": "raise", "platform": "ios", "threshold": "minimumApp", "value": "1"},
                  {"op": "clearThreshold", "platform": "windows"}, 17]}
                """#
        )
        #expect(problem.code == .invalidRequest)
        #expect(
            Set(pointers(problem)) == [
                "/titel", "/title", "/reason", "/base", "/operations/0/value",
                "/operations/1/part", "/operations/1/language", "/operations/1/text",
                "/operations/1/value", "/operations/2/op", "/operations/3/platform",
                "/operations/3/threshold", "/operations/4",
            ]
        )
        #expect(problem.errors.allSatisfy { $0.detail.hasSuffix(".") })
    }

    @Test(arguments: ["title", "base", "operations"])
    func `a needed member is missed, and so is one that is null`(_ name: String) throws {
        var json = try complete()
        json[name] = nil
        #expect(pointers(try refusal(of: json)) == ["/\(name)"])
        json[name] = .null
        #expect(pointers(try refusal(of: json)) == ["/\(name)"])
    }

    @Test(arguments: [
        ("ios", "\"1.2.3.4\""), ("ios", "\"-1\""), ("ios", "\"\""), ("ios", "\"3.\""),
        ("ios", "\"v3\""), ("ios", "\"2147483648\""), ("ios", "3"), ("ios", "null"),
        ("ios", "\" 3\""), ("ios", "\"٣\""), ("ios", "[\"3\"]"), ("ios", "true"),
        ("android", "\"35\""), ("android", "-1"), ("android", "0"), ("android", "2147483648"),
        ("android", "null"), ("android", "{}"),
    ])
    func `a value that the platform does not write is refused`(
        _ platform: String,
        _ value: String
    ) throws {
        let problem = try refusal(
            of: #"""
                {"title": "t", "base": 0, "operations": [{"op": "setValue",
                 "platform": "\#(platform)", "threshold": "minimumApp", "value": \#(value)}]}
                """#
        )
        #expect(pointers(problem) == ["/operations/0/value"])
    }

    @Test(arguments: [
        "", "   ", "a\\u0007b", "a\\tb", "a\\r\\nb", "a\\u202Eb", "a\\u2066b",
        String(repeating: "a", count: 4001),
    ])
    func `a text that nobody should see is refused`(_ text: String) throws {
        let problem = try refusal(
            of: #"""
                {"title": "t", "base": 0, "operations": [{"op": "setText", "platform": "ios",
                 "threshold": "minimumApp", "part": "title", "language": "en", "text": "\#(text)"}]}
                """#
        )
        #expect(pointers(problem) == ["/operations/0/text"])
    }

    @Test(arguments: ["", "e", "en_GB", "en-", "-en", "123", "en-GB-en-GB-en-GB-en-GB-en-GB-en-GB"])
    func `a malformed language tag is refused`(_ tag: String) throws {
        let problem = try refusal(
            of: #"""
                {"title": "t", "base": 0, "operations": [{"op": "removeText", "platform": "ios",
                 "threshold": "minimumApp", "part": "title", "language": "\#(tag)"}]}
                """#
        )
        #expect(pointers(problem) == ["/operations/0/language"])
    }

    @Test(arguments: ["-1", "1.5", "\"1\"", "true", "null", "[]"])
    func `a base that is no position is refused`(_ base: String) throws {
        let problem = try refusal(
            of: #"{"title": "t", "base": \#(base), "operations": []}"#
        )
        // A fraction is no JSON that this service reads, so it has no place in a form yet.
        #expect(base == "1.5" ? problem.code == .malformedJSON : pointers(problem) == ["/base"])
    }

    @Test func `a title is one line`() throws {
        let problem = try refusal(of: #"{"title": "a\nb", "base": 0, "operations": []}"#)
        #expect(pointers(problem) == ["/title"])
    }

    private func complete() throws -> JSONObject {
        ProposalForm(title: try Title(validating: "t"), reason: nil, base: .start, operations: [])
            .json
    }

    private func refusal(of json: JSONObject) throws -> Problem {
        try #require(throws: Problem.self) { try ProposalForm(body: json.canonicalBytes()) }
    }

    private func refusal(of text: String) throws -> Problem {
        try #require(throws: Problem.self) { try ProposalForm(body: Array(text.utf8)) }
    }
}

/// Where the problem's errors stand in the body.
func pointers(_ problem: Problem) -> [String] {
    problem.errors.compactMap { error in
        if case .body(let pointer) = error.place { pointer.text } else { nil }
    }
}
