import Foundation
import NIOCore
import PlimsollDocuments
import PlimsollDomain
import PlimsollEdge
import PlimsollJSON
import PlimsollTestSupport
import Testing

@testable import PlimsollOrigin

@Suite(.timeLimit(.minutes(5))) struct NoticeWithFilesTests {
    private let builder: SnapshotBuilder

    init() throws { builder = try SnapshotBuilder() }

    private func offered(_ sequence: Int64, proof: [UInt8]? = nil) throws -> OfferedSnapshot {
        OfferedSnapshot(try builder.snapshot(sequence), proof: proof)
    }

    @Test func `who was told of the snapshot before gets what is new`() throws {
        let offers = SnapshotOffers()
        let (first, second, third) = (try offered(1), try offered(2), try offered(3))
        let start = offers.mark
        offers.offer([first])
        let before = offers.mark
        offers.offer([second])
        let files = try #require(try told(offers, after: before).first).files()
        let known = Set(first.files.map(\.digest))
        let new = second.files.filter { !known.contains($0.digest) }
        #expect(Set(files.keys) == Set(new.map(\.digest)))
        #expect(new.allSatisfy { files[$0.digest] == $0.body })
        offers.offer([third])
        // Who was told less may know most of it, and no stranger gets everything by a mark.
        for mark in [nil, start, before] {
            let lines = try told(offers, after: mark)
            #expect(lines.map(\.notice) == [SnapshotNotice(of: third)])
            #expect(lines.allSatisfy { $0.files().isEmpty })
        }
        let lines = offers.lines(after: before, withFiles: false).lines
        #expect(lines.allSatisfy { !String(buffer: $0).contains("files") })
    }

    @Test func `a proof comes alone, or with its snapshot to who lacks that`() throws {
        let offers = SnapshotOffers()
        let (first, snapshot) = (try offered(1), try builder.snapshot(2))
        let second = OfferedSnapshot(snapshot)
        let proof = Array("proof".utf8)
        offers.offer([first])
        let before = offers.mark
        offers.offer([second])
        let between = offers.mark
        offers.offer([OfferedSnapshot(snapshot, proof: proof)])
        let alone = try #require(try told(offers, after: between).first).files()
        #expect(alone == [ContentDigest(of: proof): proof])
        let all = try #require(try told(offers, after: before).first).files()
        #expect(all[second.manifest.digest] == second.manifest.body)
        #expect(all[ContentDigest(of: proof)] == proof)
        for file in first.files + second.files {
            #expect(offers.file(file.digest)?.body == file.body)
        }
    }

    @Test func `what is signed anew and proven later is handed out, and let go with the next`()
        throws
    {
        let offers = SnapshotOffers()
        let (first, second) = (try builder.snapshot(2), try builder.snapshot(2))
        offers.offer([OfferedSnapshot(first)])
        offers.offer([OfferedSnapshot(second)])
        let proven = OfferedSnapshot(second, proof: Array("proof".utf8))
        offers.offer([proven])
        let former = OfferedSnapshot(first)
        #expect(former.signatures.digest != proven.signatures.digest)
        for file in former.files + proven.files {
            #expect(offers.file(file.digest)?.body == file.body)
        }
        offers.offer([try offered(3)])
        #expect(offers.file(former.signatures.digest) == nil)
        #expect(proven.files.allSatisfy { offers.file($0.digest) != nil })
        offers.offer([])
        #expect((former.files + proven.files).allSatisfy { offers.file($0.digest) == nil })
    }

    @Test(arguments: [(0, true), (65 << 10, false)])
    func `what is large is to be fetched`(size: Int, comesAlong: Bool) throws {
        let offers = SnapshotOffers()
        offers.offer([try offered(1)])
        let mark = offers.mark
        offers.offer([try offered(2, proof: Array(repeating: 7, count: size))])
        let told = try #require(try told(offers, after: mark).first)
        #expect(told.files().isEmpty != comesAlong)
    }

    @Test func `of files those are taken that belong to the snapshot, and no more`() throws {
        let snapshot = try offered(1)
        let notice = SnapshotNotice(of: snapshot)
        let manifest = JSONValue.string(Data(snapshot.manifest.body).base64EncodedString())
        let large = JSONValue.string(Data(repeating: 7, count: 65 << 10).base64EncodedString())
        let much = JSONValue.array([JSONValue](repeating: "", count: 10_000) + [manifest])
        let cases: [(JSONValue, Int)] = [
            ("x", 0), (7, 0), ([], 0), ([7, "", "é", "AA==", ["x"]], 0), (much, 0),
            ([large, manifest], 0), ([manifest], 1), (["AA==", manifest, "?"], 1),
        ]
        for (files, count) in cases {
            var object = try #require(notice.json.object)
            object["files"] = files
            let bytes = JSONValue.object(object).canonicalBytes()
            let read = try NoticeWithFiles(parsing: bytes)
            #expect(read.notice == notice)
            #expect(read.files().count == count)
        }
    }

    @Test func `what is at hand is what belongs to the newest of an app that is trusted`() throws {
        var followed = FollowedSnapshots()
        let (one, two) = (try offered(1), try offered(2))
        let (first, second) = (SnapshotNotice(of: one), SnapshotNotice(of: two))
        func bytes(_ snapshot: OfferedSnapshot) -> [ContentDigest: [UInt8]] {
            Dictionary(snapshot.files.map { ($0.digest, $0.body) }) { first, _ in first }
        }
        _ = followed.tell(first, bringing: bytes(one))
        #expect(followed.files(of: first).isEmpty)
        _ = followed.retry(trusting: [first.app])
        _ = followed.tell(first, bringing: bytes(one))
        #expect(followed.files(of: first) == bytes(one))
        // A newer one comes while the first is fetched, and that one waits for witnesses.
        let next = followed.next()
        #expect(next == first)
        _ = followed.tell(second, bringing: [two.manifest.digest: two.manifest.body])
        followed.finish(first, .waiting(bytes(one)))
        let shared = bytes(one).filter { second.digests.contains($0.key) }
        let expected = shared.merging([two.manifest.digest: two.manifest.body]) { one, _ in one }
        #expect(followed.files(of: second) == expected)
        _ = followed.next()
        followed.finish(second, .served)
        #expect(followed.files(of: second).isEmpty)
        _ = followed.tell(second, bringing: bytes(two))
        #expect(followed.files(of: second).isEmpty)
    }

    // Goal: nothing is fetched that came with the notice, and everything else is. Method: a server
    // that sends some of the files along, counts who asks for the rest, and never falls silent,
    // for which it would be left and asked anew.
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
                return .drip(Array((head + line + "\n\n").utf8), then: Array(":\n\n".utf8))
            }
            let path = request.text.split(separator: " ")[1]
            let found = snapshot.files.first { path.hasSuffix($0.digest.hex) }
            guard let found else { return .bytes(Publisher.unsigned("503 Service Unavailable")) }
            return .bytes(Publisher.unsigned("200 OK", body: Data(found.body)))
        } _: { server, port in
            let leaf = TreeEdge(trusting: builder.trusted)
            try await leaf.following(port) { #expect(await leaf.serves(8)) }
            let fetched = server.requests.filter { $0.text.contains("/origin/digests/") }
            #expect(fetched.count == missing)
        }
    }
}
