import NIOCore
import PlimsollDocuments
import PlimsollDomain
import PlimsollSystem
import Testing

@testable import PlimsollEdge

/// What is made before anybody asks.
@Suite struct AnswersTests {
    @Test(arguments: [
        (784_111_777_000, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (0, HTTPDate.placeholder),
        (951_782_399_999, "Mon, 28 Feb 2000 23:59:59 GMT"),
        (951_782_400_000, "Tue, 29 Feb 2000 00:00:00 GMT"),
        (1_596_495_575_000, "Mon, 03 Aug 2020 22:59:35 GMT"),
    ])
    func `a date is written as HTTP has it`(milliseconds: Int, expected: String) {
        let text = HTTPDate.text(Instant(millisecondsSince1970: Int64(milliseconds)))
        #expect(text == expected)
        #expect(text.utf8.count == HTTPDate.length)
    }

    @Test func `a new second changes what is sent next and not what is on its way`() throws {
        var answers = LoopAnswers(try EdgeFixture.table())
        let number = LoopAnswers.number(of: .notFound)
        answers.setDate("Sun, 06 Nov 1994 08:49:37 GMT", second: 1)
        let first = answers.answer(number).bytes
        answers.setDate("Sun, 06 Nov 1994 08:49:38 GMT", second: 2)
        let second = answers.answer(number).bytes
        #expect(String(buffer: first).contains("\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n"))
        #expect(String(buffer: second).contains("\r\nDate: Sun, 06 Nov 1994 08:49:38 GMT\r\n"))
        #expect(first.readableBytes == second.readableBytes)
    }

    // Goal: heads that are made once are what they would be if they were made for each answer.
    @Test(arguments: [
        DeviceReply(.ok, body: []), DeviceReply(.ok, body: Array(repeating: 65, count: 100_000)),
        DeviceReply(.malformed, mediaType: "application/problem+json", body: [1]),
        DeviceReply(.unauthorized, body: [1, 2], challenge: "Bearer"),
        DeviceReply(.unavailable, mediaType: "application/problem+json", body: [3]),
    ])
    func `what devices are answered has all its fields, in their order`(reply: DeviceReply) {
        var fields = [
            ("Content-Type", reply.mediaType), ("Content-Length", "\(reply.body.count)"),
            ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
        ]
        if let challenge = reply.challenge { fields.append(("WWW-Authenticate", challenge)) }
        if reply.status == .unavailable {
            fields.append(("Retry-After", StandardAnswers.retrySeconds))
        }
        let expected = PreparedAnswer(status: reply.status, fields: fields, body: reply.body)
        #expect(reply.prepared.bytes == expected.bytes)
        #expect(reply.prepared.headLength == expected.headLength)
        #expect(reply.prepared.statusLineLength == expected.statusLineLength)
    }

    @Test(arguments: AnswerStatus.allCases.filter { ![.ok, .partial, .notModified].contains($0) })
    func `each error says itself how long it is`(status: AnswerStatus) throws {
        let answer = StandardAnswers.all[StandardAnswers.number(of: status)]
        #expect(answer.status == status)
        var bytes = answer.bytes
        let parsed = try #require(Answer(reading: &bytes, headOnly: false))
        #expect(parsed.status == status.code)
        #expect(parsed["Content-Length"] == String(parsed.body.count))
        #expect(parsed.text.hasSuffix(".\n"))
        #expect(bytes.readableBytes == 0)
    }

    // Clients of Prince of Versions on iOS and macOS look at no status and obey what they can read.
    @Test(arguments: PrinceOfVersionsClient.allCases)
    func `no error is a document to any client of Prince of Versions`(
        client: PrinceOfVersionsClient
    ) throws {
        let device = PrinceOfVersionsDevice(appVersion: "1", os: "1")
        for answer in StandardAnswers.all where answer.status != .partial {
            var bytes = answer.bytes
            let body = try #require(Answer(reading: &bytes, headOnly: false)).body
            var memory = PrinceOfVersionsMemory()
            let outcome = client.check(body, on: device, remembering: &memory)
            #expect(outcome.status == .error, "\(answer.status)")
        }
    }

    @Test func `compressing twice gives the same bytes`() throws {
        let first = try #require(Gzip.compress(EdgeFixture.body))
        #expect(Gzip.compress(EdgeFixture.body) == first)
        #expect(first.count < EdgeFixture.body.count)
        // No time and no name in the header: RFC 1952, section 2.3.
        #expect(Array(first[0..<8]) == [0x1F, 0x8B, 8, 0, 0, 0, 0, 0])
    }

    @Test func `a large body survives compression and what cannot shrink is left alone`()
        async throws
    {
        var state: UInt64 = 42
        let noise = (0..<100_000).map { _ -> UInt8 in
            state = state &* 6_364_136_223_846_793_005 &+ 1
            return UInt8(truncatingIfNeeded: state >> 33)
        }
        #expect(Gzip.compress(noise) == nil)
        #expect(Gzip.compress([]) == nil)
        let text = noise.flatMap { Array("\($0 % 16),".utf8) }
        let compressed = try #require(Gzip.compress(text))
        #expect(try await Unzipping.unzip(compressed) == text)
    }
}
