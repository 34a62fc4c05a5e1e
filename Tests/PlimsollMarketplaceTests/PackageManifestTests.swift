import Foundation
import PlimsollDomain
import PlimsollJSON
import PlimsollMarketplace
import PlimsollTestSupport
import Testing

/// What a manifest says, and which are refused before anything is fetched.
@Suite struct PackageManifestTests {
    private let sample = SampleDistribution(
        version: .max,
        revision: 3,
        variants: ["a": 10_000, "b": 4096],
        deltas: ["d": 1]
    )

    private func read(_ text: String) throws -> PackageManifest {
        try PackageManifest(parsing: Array(text.utf8))
    }

    private var text: String { String(decoding: sample.manifest, as: UTF8.self) }

    @Test func `a manifest says which package it is, and what belongs to it`() throws {
        let manifest = try PackageManifest(parsing: sample.manifest)
        #expect(manifest.version == versionID(.max))
        #expect(manifest.item == item(10_737_747_186))
        #expect(manifest.bundle.text == "org.example.harbour")
        #expect((manifest.shortVersion.text, manifest.bundleVersion.text) == ("3.2.0", "412"))
        #expect(manifest.minimumSystems.map(\.value.written) == ["17.4"])
        #expect(manifest.revision == 3)
        #expect(manifest.assets.map(\.path) == ["variant/a.ipa", "variant/b.ipa", "delta/d.ipa"])
        #expect(manifest.assets.map(\.size) == [10_000, 4096, 1])
        #expect(manifest.assets.map(\.chunks.digests.count) == [3, 1, 1])
    }

    @Test func `it makes the package known that lies at an address`() throws {
        let digest = try #require(ManifestDigest(hex: String(repeating: "a1", count: 32)))
        let address = endpoint("https://market.example.com/p/1/")
        let package = try PackageManifest(parsing: sample.manifest)
            .package(id: packageID("p-1"), at: address, digest: digest, isComplete: false)
        #expect((package.version, package.revision) == (versionID(.max), 3))
        #expect((package.manifest, package.address) == (digest, address))
        #expect(!package.isComplete)
    }

    @Test func `what Apple adds is passed over, wherever it stands`() throws {
        let more = text.replacing(#""appleItemId""#, with: #""new": {"a": [null]}, "appleItemId""#)
            .replacing(#""publicId""#, with: #""new": 1, "publicId""#)
            .replacing(#""algorithm""#, with: #""new": true, "algorithm""#)
        #expect(try read(more) == read(text))
    }

    @Test func `an older manifest says no schema, and one without deltas is whole`() throws {
        let older = text.replacing(#""manifestSchemaVersion": "1.0", "#, with: "")
        #expect(try read(older) == read(text))
        let first = SampleDistribution()
        #expect(try PackageManifest(parsing: first.manifest).deltas.isEmpty)
    }

    @Test func `the digests of what is not encrypted stand in for those that are`() throws {
        let plain = text.replacing(
            #""encryptedChunkDigests""#,
            with: #""encryptedChunkDigests": [], "unencryptedChunkDigests""#
        )
        #expect(try read(plain) == read(text))
    }

    @Test(arguments: [
        ("variant/a.ipa", "variant/../a.ipa"), ("variant/a.ipa", "/variant/a.ipa"),
        ("variant/a.ipa", "delta/a.ipa"), ("variant/a.ipa", "variant/b.ipa"),
        ("variant/a.ipa", "variant/a.IPA"), ("variant/a.ipa", ""),
        (#""publicId": "a""#, #""publicId": "../a""#), (#""publicId": "a""#, #""publicId": """#),
        (#""publicId": "a""#, #""publicId": 7"#), (#""publicId": "a""#, #""publicId": null"#),
        ("10000", "10001000"), ("10000", "0"), ("10000", "-1"), ("10000", "1e4"),
        ("10000", "9223372036854775807"), (#""chunkSize": 4096"#, #""chunkSize": 0"#),
        (#""chunkSize": 4096"#, #""chunkSize": -4096"#),
        (#""chunkSize": 4096"#, #""chunkSize": 1"#),
        (#""sha256""#, #""md5""#), (#""encryptedChunkDigests""#, #""otherDigests""#),
        (#""1.0""#, #""2.0""#), (#""distributionPackageRevision": 3"#, #""x": 3"#),
        (#""distributionPackageRevision": 3"#, #""distributionPackageRevision": 0"#),
        ("18446744073709551615", "18446744073709551616"), ("18446744073709551615", "0"),
        ("10737747186", "x"), (#""ios": "17.4""#, #""macos": "14""#), (#""17.4"}"#, "17}"),
        (#"["ios"]"#, "[]"), (#"["ios"]"#, #"["ios", "visionos"]"#), ("org.example", "org example"),
        (#""variants""#, #""appleItemId": "1", "variants""#),
    ])
    func `what is no manifest of ours is refused`(_ part: String, _ other: String) {
        let changed = text.replacing(part, with: other)
        #expect(changed != text)
        #expect(throws: JSONIssues.self) { try read(changed) }
    }

    @Test(arguments: [
        "", "[]", "null", "{}", #"{"variants":[]}"#, String(repeating: "[", count: 100_000),
        String(repeating: " ", count: (16 << 20) + 1),
    ])
    func `nothing, too much and too deep is refused`(_ text: String) {
        #expect(throws: JSONIssues.self) { try read(text) }
    }

    @Test func `two files of one name are refused, also where only capitals tell them apart`() {
        let twice = SampleDistribution(variants: ["a": 1, "A": 2])
        #expect(throws: JSONIssues.self) { try PackageManifest(parsing: twice.manifest) }
    }

    @Test func `a manifest without variants has nothing to install`() {
        let empty = SampleDistribution(variants: [:])
        #expect(throws: JSONIssues.self) { try PackageManifest(parsing: empty.manifest) }
    }

    @Test func `all that is wrong is said at once`() throws {
        let wrong = text.replacing("10737747186", with: "x").replacing(#""3.2.0""#, with: "7")
        let issues = #expect(throws: JSONIssues.self) { try read(wrong) }
        #expect(issues?.issues.count == 2)
    }
}
