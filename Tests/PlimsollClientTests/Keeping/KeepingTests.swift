import Foundation
import PlimsollTestSupport
import Testing

@testable import PlimsollClient

@Suite struct KeepingTests {
    private func draft(_ sequence: Int) -> DocumentDraft {
        var draft = DocumentDraft()
        draft.sequence = sequence
        return draft
    }

    @Test func `what was kept is read again, whole`() async throws {
        try await Harbour.with { harbour in
            let folder = try harbour.documentFolder
            #expect(folder.newest() == nil)
            let kept = try harbour.kept()
            try folder.keep(kept)
            let read = try #require(folder.newest())
            #expect(read.document == kept.document)
            #expect(read.signed == kept.signed)
            #expect(read.entityTag == "\"1\"")
        }
    }

    @Test func `a newer one takes the place of the older, and never the other way round`()
        async throws
    {
        try await Harbour.with { harbour in
            let folder = try harbour.documentFolder
            try folder.keep(harbour.kept(draft(7)))
            try folder.keep(harbour.kept(draft(10)))
            #expect(harbour.files.count == 1)
            try folder.keep(harbour.kept(draft(9)))
            #expect(folder.newest()?.sequence == 10)
            #expect(folder.newest(above: 10) == nil)
        }
    }

    @Test func `a file cut off at any byte is passed over`() async throws {
        try await Harbour.with { harbour in
            let folder = try harbour.documentFolder
            let kept = try harbour.kept()
            try folder.keep(kept)
            let file = harbour.folder.appendingPathComponent(try #require(harbour.files.first))
            let bytes = kept.bytes
            for length in stride(from: 0, to: bytes.count, by: 7) {
                try bytes.prefix(length).write(to: file)
                #expect(folder.newest() == nil, "\(length)")
            }
            try bytes.write(to: file)
            #expect(folder.newest() != nil)
        }
    }

    @Test func `a file that was tampered with is passed over for the next one`() async throws {
        try await Harbour.with { harbour in
            let folder = try harbour.documentFolder
            try folder.keep(harbour.kept(draft(7)))
            let older = try #require(harbour.files.first)
            let kept = try harbour.kept(draft(8))
            try folder.keep(kept)
            let newer = try #require(harbour.files.first)
            try harbour.kept(draft(7)).bytes.write(to: harbour.folder.appendingPathComponent(older))
            let text = String(decoding: kept.bytes, as: UTF8.self)
            let changed = text.replacingOccurrences(of: "3.2.0", with: "3.1.0")
            try Data(changed.utf8).write(to: harbour.folder.appendingPathComponent(newer))
            #expect(folder.newest()?.sequence == 7)
        }
    }

    @Test func `a file under the name of a higher sequence is passed over`() async throws {
        try await Harbour.with { harbour in
            let folder = try harbour.documentFolder
            try folder.keep(harbour.kept(draft(7)))
            let name = try #require(harbour.files.first)
            let liar = name.replacingOccurrences(of: "07.", with: "99.")
            try FileManager.default.moveItem(
                at: harbour.folder.appendingPathComponent(name),
                to: harbour.folder.appendingPathComponent(liar)
            )
            #expect(harbour.files == [liar])
            #expect(folder.newest() == nil)
        }
    }

    @Test func `a key that is no longer trusted makes a kept document worthless`() async throws {
        try await Harbour.with { harbour in
            try harbour.documentFolder.keep(harbour.kept())
            let other = Publisher()
            let verifier = DocumentVerifier(
                keys: try PinnedKeys(pem: [other.keyID: other.pem]),
                app: "harbour",
                platform: .ios
            )
            let folder = DocumentFolder(
                harbour.folder,
                app: "harbour",
                platform: .ios,
                verifier: verifier,
                bodyMaximum: 1 << 20
            )
            #expect(folder.newest() == nil)
        }
    }

    @Test func `apps and platforms share a folder and see their own`() async throws {
        try await Harbour.with { harbour in
            try harbour.documentFolder.keep(harbour.kept())
            let other = DocumentFolder(
                harbour.folder,
                app: "harbour",
                platform: .macos,
                verifier: try harbour.verifier,
                bodyMaximum: 1 << 20
            )
            #expect(other.newest() == nil)
            try other.clear()
            #expect(harbour.files.count == 1)
            try harbour.documentFolder.clear()
            #expect(harbour.files.isEmpty)
        }
    }

    @Test func `a file longer than any document is not read`() async throws {
        try await Harbour.with { harbour in
            try harbour.documentFolder.keep(harbour.kept())
            let small = DocumentFolder(
                harbour.folder,
                app: "harbour",
                platform: .ios,
                verifier: try harbour.verifier,
                bodyMaximum: -1000
            )
            #expect(small.newest() == nil)
        }
    }

    @Test(arguments: [
        "no quotes", "\"a\"\r\nX: y", "\"\u{e9}\"", "\"", "*", "*\"", "\"a\",\"b\"", "a\"b\"",
        "\"" + String(repeating: "a", count: 300) + "\"",
    ])
    func `what is not one entity tag is not kept`(_ tag: String) async throws {
        try await Harbour.with { harbour in
            let kept = try harbour.kept()
            let other = KeptDocument(document: kept.document, signed: kept.signed, entityTag: tag)
            #expect(other.entityTag == nil)
            #expect(KeptDocument(reading: other.bytes, with: try harbour.verifier) != nil)
        }
    }

    @Test(arguments: ["\"1\"", "W/\"1\"", "\"\"", "\"a,*/b-gzip\""])
    func `an entity tag is kept, weak or strong`(_ tag: String) async throws {
        try await Harbour.with { harbour in
            let kept = try harbour.kept()
            let other = KeptDocument(document: kept.document, signed: kept.signed, entityTag: tag)
            let read = KeptDocument(reading: other.bytes, with: try harbour.verifier)
            #expect(read?.entityTag == tag)
        }
    }
}
