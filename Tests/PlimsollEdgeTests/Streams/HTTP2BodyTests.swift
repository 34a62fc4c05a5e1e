import NIOHTTP2
import NIOSSL
import Testing

@testable import PlimsollEdge

/// Requests over HTTP/2 that bring a body, or leave open whether one comes.
@Suite(.onBothListeners, .timeLimit(.minutes(5))) struct HTTP2BodyTests {
    typealias Question = HTTP2AnswerTests.Question

    /// What comes behind the head.
    enum Body: CaseIterable {
        case nothing, empty, whole, begun

        var bytes: [UInt8]? {
            switch self {
            case .nothing: nil
            case .empty: []
            case .whole, .begun: Array(repeating: 0x61, count: 1000)
            }
        }

        var isEnded: Bool { self == .empty || self == .whole }
    }

    private static let questions = [
        Question(), Question(method: "HEAD"), Question(fields: ["Accept-Encoding: gzip"]),
        Question(fields: ["If-None-Match: *"]), Question(path: "/nowhere"),
        Question(path: "/%zz"), Question(method: "POST"),
        Question(path: "/" + String(repeating: "a", count: 3000)),
        Question(fields: ["Expect: a-miracle"]),
        Question(fields: ["X: " + String(repeating: "a", count: 9000)]),
    ]

    @Test(arguments: questions, Body.allCases)
    func `an answer is whole, whatever comes of the body`(
        question: Question,
        body: Body
    ) async throws {
        try await expectWhole(question, body)
    }

    @Test(arguments: [Body.nothing, .begun])
    func `a body that is refused for its length takes nothing from the answer`(
        body: Body
    ) async throws {
        try await expectWhole(Question(fields: ["Content-Length: 65537"]), body)
    }

    private func expectWhole(_ question: Question, _ body: Body) async throws {
        let headOnly = question.method == "HEAD"
        let plain = try await EdgeFixture.answer(to: question.text, headOnly: headOnly)
        try await serving { address, client in
            try await FrameConnection.with(address, tls: client) { connection in
                // The first one goes out with the settings, the others by themselves.
                for _ in 0..<3 {
                    let stream = try await connection.ask(
                        question.method,
                        question.path,
                        fields: question.pairs,
                        endStream: body.isEnded,
                        body: body.bytes
                    )
                    let reply = try #require(try await connection.answer(on: stream))
                    #expect(reply.status == String(plain.status))
                    #expect(reply.body == plain.body)
                    // RFC 9113, section 8.1: only an answer that is whole comes before a reset.
                    if !body.isEnded {
                        #expect(try await connection.reset(of: stream) == .noError)
                    }
                }
                #expect(try await connection.get()?.body == EdgeFixture.body)
            }
        }
    }

    @Test(arguments: Body.allCases)
    func `an answer that waits for room comes whole, then the body is not wanted`(
        body: Body
    ) async throws {
        let long = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
        let table = try EdgeFixture.table([EdgeFixture.resource(long)])
        try await serving(table: table) { address, client in
            let narrow = HTTP2Setting(parameter: .initialWindowSize, value: 0)
            try await FrameConnection.with(address, tls: client, settings: [narrow]) { connection in
                let stream = try await connection.ask(endStream: body.isEnded, body: body.bytes)
                try await connection.headArrives(on: stream)
                try await connection.send(.windowUpdate(windowSizeIncrement: 200_000), on: 0)
                for _ in 0..<4 {
                    let room = HTTP2Frame.FramePayload.windowUpdate(windowSizeIncrement: 50_000)
                    try await connection.send(room, on: stream)
                }
                #expect(try await connection.answer(on: stream)?.body == long)
                if !body.isEnded { #expect(try await connection.reset(of: stream) == .noError) }
            }
        }
    }

    @Test func `a stop lets an answer come whole to a request that has not ended`()
        async throws
    {
        try await TLSFixture.with { fixture in
            let client = try fixture.client(speaking: ["h2"])
            let source = try TLSSource(fixture.files)
            try await EdgeFixture.withStop(tls: source) { _, stop, address in
                let narrow = HTTP2Setting(parameter: .initialWindowSize, value: 0)
                try await FrameConnection.with(address, tls: client, settings: [narrow]) {
                    connection in
                    let stream = try await connection.ask(endStream: false)
                    try await connection.headArrives(on: stream)
                    await stop()
                    try await connection.goodbyeArrives()
                    try await connection.send(.windowUpdate(windowSizeIncrement: 5000), on: stream)
                    #expect(try await connection.answer(on: stream)?.body == EdgeFixture.body)
                    await connection.end()
                }
            }
        }
    }
}
