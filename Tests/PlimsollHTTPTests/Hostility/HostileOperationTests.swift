import HTTPTypes
import PlimsollDomain
import PlimsollJSON
import PlimsollTestSupport
import Testing

@testable import PlimsollHTTP

/// Operations that no schema tells from good ones: what is right depends on the platform.
@Suite(.scratchDatabase(template: serviceTemplate), .timeLimit(.minutes(5)))
struct HostileOperationTests {
    @Test(arguments: [
        (
            #"{"op": "setValue", "platform": "ios", "threshold": "minimumApp", "value": "1.2.3.4"}"#,
            "/value"
        ),
        (
            #"{"op": "setValue", "platform": "ios", "threshold": "minimumApp", "value": "-1"}"#,
            "/value"
        ),
        (
            #"{"op": "setValue", "platform": "android", "threshold": "minimumApp", "value": -1}"#,
            "/value"
        ),
        (
            #"{"op": "setValue", "platform": "android", "threshold": "minimumApp", "value": 2147483648}"#,
            "/value"
        ),
        (
            #"{"op": "setValue", "platform": "ios", "threshold": "minimumApp", "value": "2147483648"}"#,
            "/value"
        ),
        (
            #"{"op": "setValue", "platform": "ios", "threshold": "minimumApp", "value": 3}"#,
            "/value"
        ),
        (
            #"{"op": "setValue", "platform": "android", "threshold": "minimumApp", "value": "3"}"#,
            "/value"
        ),
        (
            #"{"op": "setValue", "platform": "android", "threshold": "minimumApp", "value": 0}"#,
            "/value"
        ),
        (
            #"{"op": "setValue", "platform": "macos", "threshold": "minimumApp", "value": "1"}"#,
            "/platform"
        ),
        (
            #"{"op": "setValue", "platform": "android", "threshold": "recommendedOS", "value": 1}"#,
            "/threshold"
        ),
        (
            #"{"op": "setText", "platform": "ios", "threshold": "minimumApp", "part": "title", "language": "en_GB", "text": "a"}"#,
            "/language"
        ),
        (
            #"{"op": "setText", "platform": "ios", "threshold": "minimumApp", "part": "title", "language": "en", "text": "a\u202Eb"}"#,
            "/text"
        ),
        (
            #"{"op": "setText", "platform": "ios", "threshold": "minimumApp", "part": "title", "language": "en", "text": "a\u0007b"}"#,
            "/text"
        ),
        (
            #"{"op": "clearThreshold", "platform": "ios", "threshold": "minimumApp", "why": 1}"#,
            "/why"
        ),
        (#"{"op": "clearThreshold", "platform": null, "threshold": "minimumApp"}"#, "/platform"),
        (#"{"op": "clearThreshold", "platform": "ios"}"#, "/threshold"),
    ])
    func `an operation that cannot be is refused at its place`(
        _ operation: String,
        _ place: String
    ) async throws {
        try await ServiceFixture.with { service in
            let head = try await service.head()
            let body = #"{"title": "t", "base": \#(head), "operations": [\#(operation)]}"#
            let answer = try await service.send(
                .post,
                "/v1/apps/harbour/changes",
                as: .proposer,
                bytes: Array(body.utf8),
                headers: [.contentType: "application/json"]
            )
            #expect(answer.status == .unprocessableContent)
            #expect(answer.pointers == ["/operations/0\(place)"])
            #expect(try await service.head() == head)
        }
    }

    @Test func `a base that lies ahead, or none at all, is refused`() async throws {
        try await ServiceFixture.with { service in
            let head = try await service.head()
            for base: JSONValue in [.integer(head + 1000), .null, "1", -1] {
                let answer = try await service.send(
                    .post,
                    "/v1/apps/harbour/changes",
                    as: .proposer,
                    ["title": "t", "base": base, "operations": Edits.minimum("3.2.0")]
                )
                #expect(answer.status == .unprocessableContent)
                #expect(answer.pointers == ["/base"])
            }
            #expect(try await service.head() == head)
        }
    }

    @Test(arguments: [
        "e", "en_GB", "en-", "-en", "en--GB", "en-GB-GB", "en-a", "en-x", "deutschland",
        "en\u{301}",
        "en-\u{FF27}B", "*", " en",
    ])
    func `a language that no tag can mean is refused`(_ tag: String) async throws {
        try await ServiceFixture.with { service in
            let end = try await service.logEnd()
            let answer = try await service.propose([Edits.text(tag, "a")])
            #expect(answer.status == .unprocessableContent)
            #expect(answer.pointers == ["/operations/0/language"])
            #expect(try await service.logEnd() == end)
        }
    }

    @Test func `a base from before somebody else's change is refused`() async throws {
        try await ServiceFixture.with { service in
            let base = try await service.head()
            try await service.apply(Edits.minimum("3.2.0"))
            let end = try await service.logEnd()
            let answer = try await service.send(
                .post,
                "/v1/apps/harbour/changes",
                as: .proposer,
                ["title": "t", "base": .integer(base), "operations": Edits.minimum("3.3.0")]
            )
            #expect(answer.status == .conflict)
            #expect(Set(answer.codes) == ["changedSince"])
            #expect(Set(answer.pointers) == ["/base"])
            #expect(try await service.logEnd() == end)
        }
    }
}
