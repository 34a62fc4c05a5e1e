import PlimsollDocuments
import PlimsollDomain
import PlimsollJSON
import Testing

@Suite struct ManifestTests {
    @Test func `a manifest has the agreed form`() throws {
        let snapshots = try Snapshots()
        let name = try #require(FileName("availability-ios"))
        let signature = try DistributionSignature(
            signatureHeader: Vectors.header(),
            dateHeader: Vectors.dateText
        )
        let file = ManifestFile(
            name: name,
            mediaType: "application/json",
            body: Vectors.body,
            sequence: snapshots.issue.sequence,
            signatures: [signature]
        )
        let manifest = Manifest(
            app: snapshots.app,
            isDefault: false,
            issue: snapshots.issue,
            files: [file]
        )
        #expect(
            String(decoding: manifest.bytes, as: UTF8.self)
                == #"{"app":"harbour","default":false,"expiresAt":"2026-09-28T14:13:20.123Z","#
                + #""files":[{"length":7,"mediaType":"application/json","name":"availability-ios","#
                + #""sequence":57,"sha256":"#
                + #""015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862","#
                + #""signatures":[{"date":"Mon, 03 Aug 2020 22:59:35 UTC","keyId":"#
                + #""\#(Vectors.keyIDText)","signature":"\#(Vectors.signature)"}]}],"#
                + #""issuedAt":"2026-09-21T14:13:20.123Z","position":58,"sequence":57}"#
        )
    }

    @Test func `a manifest comes back as it was`() throws {
        let manifest = try Snapshots().manifest()
        #expect(try Manifest(parsing: manifest.bytes) == manifest)
        #expect(manifest.files.map(\.name.text) == ["availability-android", "availability-ios"])
        #expect(manifest.file(manifest.files[1].name) == manifest.files[1])
    }

    @Test(arguments: [
        (#""app":"harbour""#, #""app":"keys""#, "/app"),
        (#""default":true"#, #""default":1"#, "/default"),
        (#""sequence":57,"sha256""#, #""sequence":0,"sha256""#, "/files/0/sequence"),
        (#""position":58"#, #""position":-1"#, "/position"),
        (#""position":58"#, #""x":58"#, "/position"),
        (#""name":"availability-ios""#, #""name":"../x""#, "/files/1/name"),
        (#""name":"availability-ios""#, #""name":"availability-android""#, "/files"),
        (#""length":9"#, #""length":-9"#, "/files/1/length"),
        (#""mediaType":"application"#, #""mediaType":"\r\n"#, "/files/0/mediaType"),
        (#""sha256":""#, #""sha256":"A"#, "/files/0/sha256"),
        (#""signature":"M"#, #""signature":"N"#, "/files/0/signatures/0/signature"),
        (#".123Z""#, #".123+00:00""#, ""), (#"{"app""#, #"{ "app""#, ""),
    ])
    func `a manifest with a wrong member is refused with its place`(
        good: String,
        bad: String,
        pointer: String
    ) throws {
        let text = String(decoding: try Snapshots().manifest().bytes, as: UTF8.self)
        let changed = text.replacing(good, with: bad)
        #expect(changed != text)
        let error = #expect(throws: JSONIssues.self) {
            try Manifest(parsing: Array(changed.utf8))
        }
        #expect(error?.issues.first?.pointer.text == pointer)
    }

    @Test(arguments: [
        "", ".", "..", ".x", "a/b", "a\\b", "A", "é", "a\0", "manifest.json", "manifest.json.sig",
        "proof.json",
        String(repeating: "a", count: 101),
    ])
    func `a name that could leave its folder or hide the manifest is refused`(name: String) {
        #expect(FileName(name) == nil)
    }

    @Test func `signatures of a manifest come back as they were`() throws {
        let (first, second) = (OtherKey(), OtherKey())
        let signatures = ManifestSignatures([
            try Manifest.sign([1], with: first.signer), try Manifest.sign([1], with: second.signer),
        ])
        #expect(ManifestSignatures(parsing: signatures.bytes) == signatures)
        #expect(signatures.bytes.count { $0 == 0x0A } == 2)
    }

    @Test func `signatures that cannot be read are refused`() throws {
        let good = ManifestSignatures([try Manifest.sign([1], with: OtherKey().signer)]).bytes
        let bad: [[UInt8]] = [
            [], [0x0A], Array(good.dropLast()), good + [0x0A], [0x0A] + good, good + [0xFF, 0x0A],
            good.map { $0 == 0x0A ? 0x0D : $0 }, Array(good[10...]),
            Array(repeating: good, count: 1000).flatMap(\.self),
        ]
        for bytes in bad { #expect(ManifestSignatures(parsing: bytes) == nil) }
    }
}
