import Foundation
import PlimsollDocuments
import PlimsollDomain
import PlimsollJSON
import Testing

/// Every form of a manifest that was ever signed is read for ever: a file here is never changed.
@Suite struct GoldenManifestTests {
    private func golden(_ form: Int) throws -> [UInt8] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        return Array(try Data(contentsOf: folder.appending(path: "Golden/manifest-\(form).json")))
    }

    private func digest() throws -> ChangeDigest {
        try #require(ChangeDigest(hex: String(repeating: "5a", count: 32)))
    }

    private func principal(_ number: Int) throws -> PrincipalID {
        try #require(PrincipalID("5a000000-0000-4000-8000-00000000000\(number)"))
    }

    private func basis() throws -> SnapshotBasis {
        let approval = ChangeApproval(
            by: try principal(2),
            digest: try digest(),
            position: Position(55)
        )
        let change = AppliedChange(
            id: try #require(ChangeID(rawValue: 7)),
            digest: try digest(),
            position: Position(57),
            approvals: [approval]
        )
        let rollback = AppliedRollback(
            position: Position(40),
            target: Position(31),
            by: try principal(3)
        )
        return SnapshotBasis(changes: [change], rollbacks: [rollback], access: Revision(12))
    }

    @Test func `a manifest that does not say what it rests on is read`() throws {
        let manifest = try Manifest(parsing: golden(1))
        #expect(manifest.basis == nil)
        #expect(manifest.checkpoint == nil)
        #expect(manifest.bytes == (try golden(1)))
    }

    @Test func `a manifest says which decisions and which checkpoint it rests on`() throws {
        let root = "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"
        let manifest = try Manifest(parsing: golden(2))
        #expect(manifest.basis == (try basis()))
        #expect(
            manifest.checkpoint
                == NamedCheckpoint(
                    origin: "log.example.com/harbour",
                    size: Position(52),
                    root: try #require(ContentDigest(hex: root))
                )
        )
        #expect(manifest.bytes == (try golden(2)))
    }

    // Goal: nobody is said to have approved what they never saw.
    @Test func `of a change those are named who approved what was applied, and once`() throws {
        let former = try #require(ChangeDigest(hex: String(repeating: "6b", count: 32)))
        let given = [(1, former), (2, try digest()), (3, try digest()), (2, try digest())]
        let change = AppliedChange(
            id: try #require(ChangeID(rawValue: 7)),
            digest: try digest(),
            position: Position(57),
            approvals: try given.enumerated().map { place, given in
                ChangeApproval(
                    by: try principal(given.0),
                    digest: given.1,
                    position: Position(50 + place)
                )
            }
        )
        #expect(try change.approvers == [principal(2), principal(3)])
    }

    @Test func `a manifest says where the end of a change took something back`() throws {
        let basis = try basis()
        let manifest = try Manifest(parsing: golden(3))
        let end = EndOfChange(id: try #require(ChangeID(rawValue: 9)), position: Position(58))
        #expect(
            manifest.basis
                == SnapshotBasis(
                    changes: basis.changes,
                    rollbacks: basis.rollbacks,
                    ends: [end],
                    access: basis.access
                )
        )
        #expect(manifest.bytes == (try golden(3)))
    }

    @Test func `a manifest of several keys says which of them leads`() throws {
        let second = try #require(KeyID("f00dcafe-0000-4000-8000-000000000002"))
        let manifest = try Manifest(parsing: golden(4))
        #expect(manifest.leadingKey == second)
        #expect(
            manifest.files.map { $0.signatures.map(\.keyID) }
                == [[try Vectors.keyID(), second]]
        )
        #expect(manifest.basis == (try basis()))
        #expect(manifest.bytes == (try golden(4)))
        #expect(try Manifest(parsing: golden(2)).leadingKey == nil)
    }

    @Test func `a manifest says under which policy it was decided`() throws {
        let manifest = try Manifest(parsing: golden(5))
        #expect(manifest.basis?.policy == Position(31))
        #expect(manifest.bytes == (try golden(5)))
        let silent = try basis()
        #expect(try Manifest(parsing: golden(2)).basis?.policy == nil)
        let whole = try #require(manifest.basis)
        #expect(silent.agrees(with: whole))
        #expect(whole.agrees(with: whole))
        #expect(!whole.agrees(with: silent))
    }

    @Test func `a manifest says with which settings it was written`() throws {
        let manifest = try Manifest(parsing: golden(6))
        let whole = try #require(manifest.basis)
        #expect(whole.settings == Position(1))
        #expect(manifest.bytes == (try golden(6)))
        let silent = try #require(try Manifest(parsing: golden(5)).basis)
        #expect(silent.settings == nil)
        #expect(silent.agrees(with: whole))
        #expect(!whole.agrees(with: silent))
        let text = String(decoding: try golden(6), as: UTF8.self)
        let others = text.replacing(#""settings":1"#, with: #""settings":2"#)
        #expect(try Manifest(parsing: Array(others.utf8)).basis?.agrees(with: whole) == false)
    }

    @Test func `what a later program adds to what a manifest rests on is passed over`() throws {
        let text = String(decoding: try golden(6), as: UTF8.self)
        let more = text.replacing(#""settings":1"#, with: #""settings":1,"weather":{"sea":"calm"}"#)
        #expect(more != text)
        #expect(try Manifest(parsing: Array(more.utf8)) == Manifest(parsing: golden(6)))
    }

    // Goal: tolerance reaches what informs, and no other spelling of a manifest passes with it.
    @Test(arguments: [
        (#""settings":1"#, #""settings":1,"weather": 1"#),
        (#""settings":1"#, #""aweather":1,"settings":1"#),
        (#""settings":1"#, #""settings":1,"ends":[]"#),
        (#"{"accessRevision""#, #"{"accessRevision":12,"accessRevision""#),
        (#"{"app""#, #"{"also":1,"app""#), (#""id":"7""#, #""id":"7","late":true"#),
    ])
    func `what else is added to a manifest is refused`(known: String, other: String) throws {
        let text = String(decoding: try golden(6), as: UTF8.self)
        let changed = text.replacing(known, with: other)
        #expect(changed != text)
        #expect(throws: JSONIssues.self) { try Manifest(parsing: Array(changed.utf8)) }
    }

    @Test(arguments: ["-1", #""1""#, "null"])
    func `settings that stand nowhere are refused`(bad: String) throws {
        let text = String(decoding: try golden(6), as: UTF8.self)
        let changed = text.replacing(#""settings":1"#, with: #""settings":"# + bad)
        #expect(changed != text)
        let error = #expect(throws: JSONIssues.self) {
            try Manifest(parsing: Array(changed.utf8))
        }
        #expect(error?.issues.first?.pointer.text == "/basis/settings")
    }

    @Test(arguments: ["-1", #""31""#, "null"])
    func `a policy that stands nowhere is refused`(bad: String) throws {
        let text = String(decoding: try golden(5), as: UTF8.self)
        let changed = text.replacing(#""policy":31"#, with: #""policy":"# + bad)
        #expect(changed != text)
        let error = #expect(throws: JSONIssues.self) {
            try Manifest(parsing: Array(changed.utf8))
        }
        #expect(error?.issues.first?.pointer.text == "/basis/policy")
    }

    @Test(arguments: [#""leader""#, "1", "null", #""F00DCAFE-0000-4000-8000-000000000002""#])
    func `a leading key that is none is refused`(bad: String) throws {
        let good = #""leadingKey":"f00dcafe-0000-4000-8000-000000000002""#
        let text = String(decoding: try golden(4), as: UTF8.self)
        let changed = text.replacing(good, with: #""leadingKey":"# + bad)
        #expect(changed != text)
        #expect(throws: JSONIssues.self) { try Manifest(parsing: Array(changed.utf8)) }
    }

    @Test(arguments: [
        (#""accessRevision":12"#, #""accessRevision":-1"#, "/basis/accessRevision"),
        (#""accessRevision":12,"#, "", "/basis/accessRevision"),
        (#""id":"7""#, #""id":7"#, "/basis/changes/0/id"),
        (#""id":"7""#, #""id":"7","x":1"#, "/basis/changes/0/x"),
        (#""position":55"#, #""position":"55""#, "/basis/changes/0/approvals/0/position"),
        (
            #""by":"5a000000-0000-4000-8000-000000000002""#, #""by":"alice""#,
            "/basis/changes/0/approvals/0/by"
        ),
        (#""digest":"5a"#, #""digest":"5A"#, "/basis/changes/0/approvals/0/digest"),
        (#""target":31"#, #""target":-31"#, "/basis/rollbacks/0/target"),
        (#""origin":"log.example.com/harbour""#, #""origin":"""#, "/checkpoint/origin"),
        (#""root":"5d"#, #""root":"5"#, "/checkpoint/root"),
        (#""size":52"#, #""size":-52"#, "/checkpoint/size"),
        (#""size":52"#, #""size":52,"x":1"#, "/checkpoint/x"),
        (#""checkpoint":{"#, #""checkpoint":null,"x":{"#, "/x"),
    ])
    func `a wrong member of either is refused with its place`(
        good: String,
        bad: String,
        pointer: String
    ) throws {
        let text = String(decoding: try golden(2), as: UTF8.self)
        let changed = text.replacing(good, with: bad, maxReplacements: 1)
        #expect(changed != text)
        let error = #expect(throws: JSONIssues.self) {
            try Manifest(parsing: Array(changed.utf8))
        }
        #expect(error?.issues.first?.pointer.text == pointer)
    }
}
