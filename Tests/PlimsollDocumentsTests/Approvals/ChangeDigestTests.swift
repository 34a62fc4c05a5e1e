import PlimsollDomain
import PlimsollJSON
import PlimsollTestSupport
@testable import PlimsollDocuments
import Testing

@Suite struct ChangeDigestTests {
    private static let value = Field(.ios, .minimumApp, .value)
    private static let operation = Operation(.ios, .minimumApp, .setValue(dotted("3.2.0")))

    private func digest(
        app: AppSlug = harbour,
        _ operations: [Operation] = [operation],
        before: String? = "3.0.0"
    ) -> ChangeDigest {
        let change = FieldChange(
            field: Self.value,
            before: before.map { .version(dotted($0)) },
            after: .version(dotted("3.2.0"))
        )
        return ChangeDigest(
            of: ChangeContent(app: app, operations: operations, schedule: nil, effect: [change])
        )
    }

    // What `sha256sum` says of
    // {"app":"harbour","effect":[{"after":"3.2.0","before":"3.0.0","field":"ios.minimumApp.value"}],
    // "operations":[{"op":"setValue","platform":"ios","threshold":"minimumApp","value":"3.2.0"}],
    // "schedule":null} on one line, without blanks.
    @Test func `a digest is the hash of the canonical form`() {
        #expect(
            digest().hex == "7cee29f66c0f2a40029329b57e7fb1fe4ccb6eaaf33083396b455626fe2c54c4"
        )
    }

    @Test func `whatever an approver would see differently is another digest`() throws {
        let text = Operation(
            .ios,
            .minimumApp,
            .setText(.description, tag("en"), try text("Update."))
        )
        let digests = [
            digest(), digest(app: slug("lighthouse")), digest([Self.operation, text]),
            digest([text, Self.operation]), digest([]), digest(before: "3.1.0"),
            digest(before: nil),
        ]
        #expect(Set(digests).count == digests.count)
    }

    @Test func `what is hashed is canonical, whatever stands in it`() throws {
        let words = try text("A \"quote\", a \\ and\na line: ç 🚢")
        let operations = [
            Self.operation, Operation(.android, .minimumApp, .setValue(code(35))),
            Operation(.ios, .recommendedApp, .clearValue),
            Operation(.ios, .recommendedOS, .clearThreshold),
            Operation(.ios, .minimumApp, .setText(.title, tag("en-GB"), words)),
            Operation(.ios, .minimumApp, .removeText(.description, tag("de"))),
        ]
        let expected: [JSONValue] = [
            ["op": "setValue", "platform": "ios", "threshold": "minimumApp", "value": "3.2.0"],
            ["op": "setValue", "platform": "android", "threshold": "minimumApp", "value": 35],
            ["op": "clearValue", "platform": "ios", "threshold": "recommendedApp"],
            ["op": "clearThreshold", "platform": "ios", "threshold": "recommendedOS"],
            [
                "language": "en-GB", "op": "setText", "part": "title", "platform": "ios",
                "text": .string(words.text), "threshold": "minimumApp",
            ],
            [
                "language": "de", "op": "removeText", "part": "description", "platform": "ios",
                "threshold": "minimumApp",
            ],
        ]
        let effect = [
            FieldChange(
                field: Field(.ios, .minimumApp, .text(.title, tag("en-GB"))),
                before: nil,
                after: .text(words)
            ),
            FieldChange(field: Self.value, before: .version(code(7)), after: nil),
        ]
        let schedule = Schedule(
            at: Instant(millisecondsSince1970: 1),
            until: nil,
            timeZone: .utc
        )
        for count in 0...operations.count {
            let content = ChangeContent(
                app: harbour,
                operations: Array(operations.prefix(count)),
                schedule: count.isMultiple(of: 2) ? nil : schedule,
                effect: Array(effect.prefix(count))
            )
            let bytes = content.canonicalBytes
            let json = try JSONValue(parsingCanonical: bytes)
            #expect(json["operations"] == .array(Array(expected.prefix(count))))
        }
    }

    @Test func `the same content has the same digest`() {
        #expect(digest() == digest())
    }
}
