import NIOHTTP2
import NIOSSL
import Testing

@testable import PlimsollEdge

/// What is asked for with HTTP/2 and what is answered, held against HTTP/1.1.
@Suite(.onBothListeners, .timeLimit(.minutes(5))) struct HTTP2AnswerTests {
    struct Question: Sendable, CustomTestStringConvertible {
        var method = "GET"
        var path = EdgeFixture.path
        var fields: [String] = []

        var testDescription: String {
            "\(method) \(path.prefix(60)) \(fields.map { $0.prefix(40) })"
        }

        var text: String {
            EdgeFixture.get(path, fields: fields).replacing("GET", with: method)
        }

        var pairs: [(String, String)] {
            fields.map { field in
                let parts = field.split(separator: ":", maxSplits: 1)
                return (parts[0].lowercased(), String(parts[1].dropFirst()))
            }
        }
    }

    private static let questions = [
        Question(), Question(method: "HEAD"), Question(fields: ["Accept-Encoding: gzip"]),
        Question(method: "HEAD", fields: ["Accept-Encoding: gzip"]),
        Question(fields: ["If-None-Match: *"]),
        Question(fields: ["If-None-Match: *", "Accept-Encoding: gzip, br"]),
        Question(fields: ["If-None-Match: \"x\"", "If-None-Match: \"y\""]),
        Question(path: "/nowhere"), Question(path: "/distribution/availability-ios?x=1"),
        Question(path: "//distribution/availability-ios"),
        Question(path: "/%64istribution/availability-ios"), Question(path: "/%zz"),
        Question(path: "/a#b"), Question(method: "POST"),
        Question(method: "BREW"), Question(method: "get"), Question(method: "OPTIONS", path: "*"),
        Question(path: "/" + String(repeating: "a", count: 3000)),
        Question(fields: ["X: " + String(repeating: "a", count: 9000)]),
        Question(fields: (0..<110).map { "X-\($0): y" }),
        Question(fields: ["Expect: a-miracle"]),
    ]

    @Test(arguments: questions)
    func `an answer has the status, fields and body of HTTP/1.1`(question: Question) async throws {
        let headOnly = question.method == "HEAD"
        let plain = try await EdgeFixture.answer(to: question.text, headOnly: headOnly)
        try await serving { address, client in
            try await FrameConnection.with(address, tls: client) { connection in
                let stream = try await connection.ask(
                    question.method,
                    question.path,
                    fields: question.pairs
                )
                let reply = try #require(try await connection.answer(on: stream))
                #expect(reply.status == String(plain.status))
                let expected = plain.timeless.filter { $0 != "Connection: close" }
                    .map { line in
                        let parts = line.split(separator: ":", maxSplits: 1)
                        return parts[0].lowercased() + ":" + parts[1]
                    }
                #expect(reply.timeless == expected)
                #expect(reply["date"]?.hasSuffix(" GMT") == true)
                #expect(reply.body == plain.body)
                #expect(reply.reset == nil)
                // Whatever was wrong with one request, the next is another.
                #expect(try await connection.get()?.body == EdgeFixture.body)
            }
        }
    }

    @Test(
        arguments: [
            (nil, []), ("edge.example", [("host", "other.example")]), ("a b", []), ("", []),
            (nil, [("host", "a"), ("host", "a")]), ("a/b", []), ("user@a", []),
            ("edge.example", [("x", "a\r\nhost: b")]), ("edge.example", [("x", "a\u{0}b")]),
            ("edge.example", [("x y", "a")]),
        ] as [(String?, [(String, String)])]
    )
    func `a request that could be read in two ways is refused`(
        authority: String?,
        fields: [(String, String)]
    ) async throws {
        try await serving { address, client in
            try await FrameConnection.with(address, tls: client) { connection in
                let stream = try await connection.ask(authority: authority, fields: fields)
                let reply = try await connection.answer(on: stream)
                // By the rules of the protocol the stream may be reset instead.
                #expect(reply?.status == "400" || reply?.reset == .protocolError)
                #expect(reply?.body != EdgeFixture.body)
                #expect(try await connection.get()?.body == EdgeFixture.body)
            }
        }
    }

    @Test(arguments: ["", "/a b", "a", "http://edge.example/", "/a\r\nx: y", "/\u{e9}", "*"])
    func `a path that is none is refused`(path: String) async throws {
        try await serving { address, client in
            try await FrameConnection.with(address, tls: client) { connection in
                let reply = try await connection.get(path)
                #expect(reply?.status == "400" || reply?.reset == .protocolError)
                #expect(try await connection.get()?.body == EdgeFixture.body)
            }
        }
    }

    @Test(arguments: ["G(T", "GET /x HTTP/1.1\r\nhost: a\r\n\r\nGET", "", "GET "])
    func `a method that is none is refused`(method: String) async throws {
        try await serving { address, client in
            try await FrameConnection.with(address, tls: client) { connection in
                let reply = try await connection.answer(on: connection.ask(method))
                #expect(reply?.status == "400" || reply?.reset == .protocolError)
                #expect(try await connection.get()?.body == EdgeFixture.body)
            }
        }
    }

    @Test(
        arguments: [
            (nil, [("host", "edge.example")]), ("edge.example", [("host", "edge.example")]),
            ("[::1]:8081", []),
        ] as [(String?, [(String, String)])]
    )
    func `a host may be named in either way`(
        authority: String?,
        fields: [(String, String)]
    ) async throws {
        try await serving { address, client in
            try await FrameConnection.with(address, tls: client) { connection in
                let stream = try await connection.ask(authority: authority, fields: fields)
                #expect(try await connection.answer(on: stream)?.body == EdgeFixture.body)
            }
        }
    }

    @Test(arguments: [
        ("GET", 65_536, "200"), ("POST", 65_537, "405"), ("HEAD", 65_536, "200"),
        ("GET", 65_537, "413"), ("HEAD", 1_000_000, "413"),
    ])
    func `a body is not waited for and the connection goes on`(
        method: String,
        length: Int,
        status: String
    ) async throws {
        try await serving { address, client in
            try await FrameConnection.with(address, tls: client) { connection in
                for _ in 0..<20 {
                    let stream = try await connection.ask(
                        method,
                        fields: [("content-length", "\(length)")],
                        endStream: false
                    )
                    #expect(try await connection.answer(on: stream)?.status == status)
                }
                #expect(try await connection.get()?.status == "200")
            }
        }
    }

    @Test func `a hundred requests at once get each their own answer`() async throws {
        let resources = try (0..<100).map { number in
            try EdgeFixture.resource(Array("number \(number)".utf8), paths: ["/\(number)"])
        }
        try await serving(table: try EdgeFixture.table(resources)) { address, client in
            try await FrameConnection.with(address, tls: client) { connection in
                for _ in 0..<3 {
                    var streams: [HTTP2StreamID] = []
                    for number in 0..<100 {
                        streams.append(try await connection.ask("GET", "/\(number)"))
                    }
                    for (number, stream) in streams.enumerated() {
                        let reply = try await connection.answer(on: stream)
                        #expect(reply?.body == Array("number \(number)".utf8))
                    }
                }
            }
        }
    }
}
