import Foundation
import PlimsollDocuments
import PlimsollDomain
import PlimsollEdge
import PlimsollJSON
import PlimsollTestSupport
import Testing

@testable import PlimsollOrigin

@Suite(.timeLimit(.minutes(5))) struct SnapshotNewsTests {
    private let sketch: SnapshotSketch

    init() throws { sketch = try SnapshotSketch() }

    private func offered(_ sequence: Int64, proof: [UInt8]? = nil) throws -> OfferedSnapshot {
        OfferedSnapshot(try sketch.snapshot(sequence), proof: proof)
    }

    private func news(_ offers: SnapshotOffers, after mark: OfferMark?) throws -> [SnapshotNews] {
        try offers.news(after: mark).lines.map { try SnapshotNews(parsing: Array($0.utf8)) }
    }

    @Test func `who goes on listening gets what is new, and who begins does not`() throws {
        let (offers, other) = (SnapshotOffers(), SnapshotOffers())
        let (first, second) = (try offered(1), try offered(2))
        offers.offer([first])
        let mark = offers.notices().mark
        offers.offer([second])
        #expect(try news(offers, after: nil) == [SnapshotNews(SnapshotNotice(of: second))])
        #expect(try news(other, after: mark).isEmpty)
        let told = try #require(try news(offers, after: mark).first)
        let known = Set(first.files.map(\.digest))
        let new = second.files.filter { !known.contains($0.digest) }
        #expect(Set(told.files.keys) == Set(new.map(\.digest)))
        #expect(new.allSatisfy { told.files[$0.digest] == $0.body })
    }

    @Test(arguments: [(0, true), (65 << 10, false)])
    func `what is large is to be fetched`(size: Int, comesAlong: Bool) throws {
        let offers = SnapshotOffers()
        let mark = offers.notices().mark
        offers.offer([try offered(1, proof: Array(repeating: 7, count: size))])
        let told = try #require(try news(offers, after: mark).first)
        #expect(told.files.isEmpty != comesAlong)
    }

    @Test func `of files those are taken that belong to the snapshot`() throws {
        let snapshot = try offered(1)
        let notice = SnapshotNotice(of: snapshot)
        let manifest = snapshot.manifest.body
        for files: JSONValue in ["x", 7, [], [7, "", "é", "AA==", ["x"]]] {
            var object = try #require(notice.json.object)
            object["files"] = files
            let bytes = JSONValue.object(object).canonicalBytes()
            #expect(try SnapshotNews(parsing: bytes) == SnapshotNews(notice))
        }
        var object = try #require(notice.json.object)
        object["files"] = ["AA==", .string(Data(manifest).base64EncodedString()), "?"]
        let news = try SnapshotNews(parsing: JSONValue.object(object).canonicalBytes())
        #expect(news.files == [snapshot.manifest.digest: manifest])
    }

    // Goal: nothing is fetched that came with the notice, and everything else is. Method: a server
    // that sends some of the files along, and counts who asks for the rest.
    @Test(arguments: [0, 1, 2])
    func `what came along is not fetched`(missing: Int) async throws {
        let snapshot = try offered(8)
        var object = try #require(SnapshotNotice(of: snapshot).json.object)
        object["files"] = .array(
            snapshot.files.dropFirst(missing).map { .string(Data($0.body).base64EncodedString()) }
        )
        let line =
            "data: \(String(decoding: JSONValue.object(object).canonicalBytes(), as: UTF8.self))"
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
        try await ScriptedServer.with { request in
            if request["Accept"] == "text/event-stream" {
                return .part(Array((head + line + "\n\n").utf8))
            }
            let path = request.text.split(separator: " ")[1]
            let found = snapshot.files.first { path.hasSuffix($0.digest.hex) }
            guard let found else { return .bytes(Publisher.unsigned("503 Service Unavailable")) }
            return .bytes(Publisher.unsigned("200 OK", body: Data(found.body)))
        } _: { server, port in
            let leaf = TreeEdge(trusting: sketch.trusted)
            try await leaf.following(port) { #expect(await leaf.serves(8)) }
            let fetched = server.requests.filter { $0.text.contains("/origin/digests/") }
            #expect(fetched.count == missing)
        }
    }
}
