import NIOCore
import PlimsollDocuments
import PlimsollDomain
import PlimsollEdge
import PlimsollJSON
import PlimsollTestSupport
import Testing

@testable import PlimsollOrigin

@Suite struct SnapshotOffersTests {
    private let builder: SnapshotBuilder
    private let offers = SnapshotOffers()

    init() throws { builder = try SnapshotBuilder() }

    private func offer(_ sequence: Int64, proof: String? = nil) throws -> OfferedSnapshot {
        let proof = proof.map { Array($0.utf8) }
        let offer = OfferedSnapshot(try builder.snapshot(sequence), proof: proof)
        offers.offer([offer])
        return offer
    }

    @Test func `only what is new since a mark is told`() throws {
        #expect(offers.notices().notices.isEmpty)
        let first = try offer(1)
        let (notices, mark) = offers.notices()
        #expect(notices == [SnapshotNotice(of: first)])
        #expect(try told(offers, after: mark).isEmpty)
        offers.offer([first])
        #expect(offers.mark == mark)
        let proven = OfferedSnapshot(try builder.snapshot(1), proof: [1])
        offers.offer([proven])
        #expect(try told(offers, after: mark).map(\.notice) == [SnapshotNotice(of: proven)])
    }

    @Test func `the mark of another process counts for nothing`() throws {
        let first = try offer(1)
        let other = SnapshotOffers()
        for sequence: Int64 in 1...9 {
            other.offer([OfferedSnapshot(try builder.snapshot(sequence))])
        }
        let lines = try told(offers, after: other.mark)
        #expect(lines.map(\.notice) == [SnapshotNotice(of: first)])
        #expect(lines.allSatisfy { $0.files().isEmpty })
    }

    @Test func `files are there by their digests, of the snapshot before as well`() throws {
        let (first, second) = (try offer(1), try offer(2))
        for file in first.files + second.files {
            #expect(offers.file(file.digest)?.body == file.body)
        }
        _ = try offer(3)
        #expect(offers.file(first.manifest.digest) == nil)
        #expect(offers.file("manifest.json", of: builder.app)?.digest != second.manifest.digest)
    }

    @Test func `what is withdrawn is not handed out`() throws {
        let first = try offer(1)
        let mark = offers.mark
        offers.offer([])
        #expect(offers.file(first.manifest.digest) == nil)
        #expect(offers.notices().notices.isEmpty)
        #expect(offers.mark != mark)
        #expect(offers.lines(after: mark, withFiles: true).lines.isEmpty)
    }

    @Test(arguments: ["", ".", "x.1", "9f3c2a", "00000000-0000-0000-0000-000000000000.-1", "é.1"])
    func `a mark that is none is no mark`(text: String) {
        #expect(OfferMark(text) == nil)
    }

    @Test func `a mark reads as it is written`() throws {
        _ = try offer(1)
        let mark = offers.mark
        #expect(OfferMark(mark.description) == mark)
    }

    @Test func `a notice reads as it is written, whatever a later program adds`() throws {
        let notice = SnapshotNotice(of: try offer(1, proof: "proof"))
        var object = try #require(notice.json.object)
        object["later"] = ["more"]
        let read = try NoticeWithFiles(parsing: JSONValue.object(object).canonicalBytes())
        #expect(read.notice == notice)
    }

    @Test func `who listens after the end hears that it is the end`() async {
        offers.end()
        var heard = 0
        for await _ in offers.signals() { heard += 1 }
        #expect(heard == 0)
    }
}

/// What a reader that wants files along is told.
func told(_ offers: SnapshotOffers, after mark: OfferMark?) throws -> [NoticeWithFiles] {
    try offers.lines(after: mark, withFiles: true).lines.map { line in
        let text = String(buffer: line)
        #expect(text.hasPrefix("data: ") && text.hasSuffix("\n\n"))
        return try NoticeWithFiles(parsing: Array(text.dropFirst(6).dropLast(2).utf8))
    }
}
