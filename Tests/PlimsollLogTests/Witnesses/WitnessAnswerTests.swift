import PlimsollLog
import Testing

@Suite struct WitnessAnswerTests {
    @Test func `an answer is read as it was meant`() throws {
        let fixture = LogFixture()
        let line = try fixture.cosigner.cosign(fixture.verified(size: 7), posixSeconds: 1)
        let answers: [(WitnessAnswer, Int)] = [
            (.cosigned([line]), 200), (.malformed("The old size is too large."), 400),
            (.notSigned, 403), (.unknownLog, 404), (.conflict(size: 0), 409),
            (.conflict(size: 20_852_014), 409), (.notConsistent, 422),
        ]
        for (answer, status) in answers {
            #expect(answer.status == status)
            #expect(WitnessAnswer(status: status, body: answer.body) == answer)
            #expect(answer.body.last == UInt8(ascii: "\n"))
        }
        #expect(WitnessAnswer.conflict(size: 7).contentType == "text/x.tlog.size")
        #expect(WitnessAnswer.conflict(size: 7).body == bytes("7\n"))
        #expect(WitnessAnswer.notSigned.contentType == "text/plain; charset=utf-8")
    }

    @Test(arguments: [
        (200, ""), (200, "\n"), (200, "hello\n"), (409, ""), (409, "7"), (409, "07\n"),
        (409, "7\n7\n"), (409, "-7\n"), (500, ""), (204, ""), (301, "7\n"),
    ])
    func `what no witness answers is refused`(status: Int, body: String) {
        #expect(WitnessAnswer(status: status, body: bytes(body)) == nil)
    }

    @Test func `a million bytes are no answer`() {
        let body = [UInt8](repeating: UInt8(ascii: "a"), count: SignedNote.byteCountMaximum + 1)
        #expect(WitnessAnswer(status: 200, body: body) == nil)
    }
}
