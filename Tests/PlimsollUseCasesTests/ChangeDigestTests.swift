import PlimsollDomain
import PlimsollTestSupport
import PlimsollUseCases
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

    @Test func `the same content has the same digest`() {
        #expect(digest() == digest())
    }
}
