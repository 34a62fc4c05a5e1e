import HTTPTypes
import PlimsollDomain
import PlimsollJSON
import PlimsollTestSupport
import Testing

@testable import PlimsollHTTP

/// Bad input gets a clear problem that names the place, and changes nothing: for every write.
@Suite(.scratchDatabase(template: serviceTemplate), .timeLimit(.minutes(1)))
struct HostileWriteTests {
    private static let writes: [(path: String, role: Role)] = [
        ("/v1/apps", .admin), ("/v1/tokens", .admin),
        ("/v1/apps/harbour/changes", .proposer), ("/v1/apps/harbour/rollback", .responder),
        ("/v1/changes/1/approve", .approver), ("/v1/changes/1/reject", .approver),
        ("/v1/changes/1/withdraw", .proposer),
    ]

    /// A body, and the statuses it may get.
    private static let bodies: [(name: String, bytes: [UInt8], status: HTTPResponse.Status)] = [
        ("not JSON", Array("{".utf8), .badRequest),
        ("an array", Array("[]".utf8), .unprocessableContent),
        ("an unknown member", Array(#"{"force": true}"#.utf8), .unprocessableContent),
        ("a duplicated member", Array(#"{"a": 1, "a": 1}"#.utf8), .badRequest),
        ("invalid UTF-8", Array("{\"a\":\"".utf8) + [0xFF] + Array("\"}".utf8), .badRequest),
        ("ten thousand levels", Array(String(repeating: "[", count: 10_000).utf8), .badRequest),
        ("a mebibyte", Array(repeating: 0x20, count: 1_048_576), .contentTooLarge),
        ("a null character", Array(#"{"a": "\u0000"}"#.utf8), .badRequest),
    ]

    @Test func `a body that makes no sense changes nothing, whatever it was sent to`() async throws
    {
        try await ServiceFixture.with { service in
            let proposed = try await service.propose(Edits.minimum("3.2.0"))
            let head = try await service.head()
            for write in Self.writes {
                for body in Self.bodies {
                    let answer = try await service.send(
                        .post,
                        write.path,
                        as: write.role,
                        bytes: body.bytes,
                        headers: [
                            .contentType: "application/json", .ifMatch: proposed.tag,
                        ]
                    )
                    #expect(answer.status == body.status, "\(body.name) to \(write.path)")
                    #expect(answer.headers[.contentType] == "application/problem+json")
                }
            }
            #expect(try await service.head() == head)
        }
    }

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

    @Test func `what is no JSON by its own account is not read`() async throws {
        try await ServiceFixture.with { service in
            for type in [nil, "text/plain", "application/json; charset=utf-16", "json"] {
                var headers: HTTPFields = [:]
                headers[.contentType] = type
                let answer = try await service.send(
                    .post,
                    "/v1/apps/harbour/changes",
                    as: .proposer,
                    bytes: Array("{}".utf8),
                    headers: headers
                )
                #expect(answer.status == .unsupportedMediaType)
            }
        }
    }
}
