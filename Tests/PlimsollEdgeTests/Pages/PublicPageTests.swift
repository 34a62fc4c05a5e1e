import Crypto
import Foundation
import Logging
import PlimsollDocuments
import PlimsollDomain
import PlimsollSystem
import Testing

@testable import PlimsollEdge

/// The page of an app for people, as it is in the table.
@Suite(.timeLimit(.minutes(5))) struct PublicPageTests {
    private static let address = "/distribution/harbour/"

    private func loader(
        _ fixture: ExportFixture,
        _ edge: EdgeService,
        servingPages: Bool = true
    ) -> SnapshotLoader {
        var settings = SnapshotLoader.Settings(export: fixture.export)
        settings.servesPages = servingPages
        settings.proofs = { bytes, _, _ in .proven(cosignatures: bytes.count { $0 == 0x2A }) }
        return SnapshotLoader(
            settings,
            trusting: fixture.trusted,
            edge: edge,
            logger: Logger(label: "edge")
        )
    }

    /// A document of iOS in which the minimum has a text.
    private func document(
        saying text: String = "Please update",
        _ minimum: String = "3.2.0"
    )
        throws -> String
    {
        let told =
            ["value": minimum, "title": [String: String](), "description": ["cy": text]]
            as [String: Any]
        let data = try JSONSerialization.data(withJSONObject: ["minimumAppVersion": told])
        return String(decoding: data, as: UTF8.self)
    }

    @Test func `a page says what is live, since when, and by whose signature`() async throws {
        try await ExportFixture.with { fixture in
            let edge = fixture.edge()
            let loader = loader(fixture, edge)
            try fixture.publishKeys()
            try fixture.publish(
                7,
                isDefault: true,
                files: ["availability-ios": try document(), "prince-of-versions.json": "{}"]
            )
            await loader.load(fixture.app)
            let page = try #require(edge.table.body(Self.address))
            for said in [
                "<html lang=\"en\">", "Publication 7", "datetime=\"2020-08-03T22:59:35.007Z\"",
                "Minimum app version: <b class=\"value\">3.2.0</b>",
                "<dd lang=\"cy\" dir=\"auto\"><p>Please update</p></dd>",
                "/distribution/keys/\(fixture.signer.keyID).pem",
                "href=\"/distribution/harbour/prince-of-versions.json\"",
                "href=\"/distribution/harbour/manifest.json.sig\"", "No proof", "Default app",
            ] {
                #expect(page.contains(said), "\(said)")
            }
            #expect(!page.contains("href=\"/distribution/harbour/proof.json\""))
            #expect(!page.contains("<script"))
            #expect(edge.table.body("/distribution/harbour") == page)
            for link in page.matches(of: /href="([^"]*)"/) {
                #expect(edge.table.body(String(link.1)) != nil, "\(link.1)")
            }
        }
    }

    @Test func `its policy lets in the style that stands in it, and nothing else`() async throws {
        try await ExportFixture.with { fixture in
            let edge = fixture.edge()
            let loader = loader(fixture, edge)
            try fixture.publish(7)
            await loader.load(fixture.app)
            let page = try #require(edge.table.body(Self.address))
            let style = try #require(page.firstMatch(of: /<style>([^<]*)<\/style>/)?.1)
            let digest = Data(SHA256.hash(data: Data(style.utf8))).base64EncodedString()
            let head = try #require(edge.table.head(Self.address))
            #expect(head.contains("default-src 'none'; style-src 'sha256-\(digest)'; base-uri"))
            #expect(head.contains("Content-Type: text/html; charset=utf-8"))
            #expect(!head.contains("Set-Cookie"))
            let other = try #require(edge.table.head("/distribution/harbour/availability-ios"))
            #expect(!other.contains("Content-Security-Policy"))
        }
    }

    @Test(arguments: [
        "<script>document.title='taken'</script>", "<\u{338}script>x</script>",
        "\"><img src=x onerror=x>", "</p></dd><!-- ", "&lt;\u{335}\u{335}b>",
        "\u{200F}<b>\n</style>",
    ])
    func `what is published stands there as text`(hostile: String) async throws {
        try await ExportFixture.with { fixture in
            let edge = fixture.edge()
            let loader = loader(fixture, edge)
            try fixture.publish(7, files: ["availability-ios": try document(saying: hostile)])
            await loader.load(fixture.app)
            let page = try #require(edge.table.body(Self.address))
            let text = try Text(validating: hostile).text
            #expect(page.contains("<p>\(text.escapedAsMarkup)</p>"))
            try fixture.publish(8, files: ["availability-ios": try document(saying: "Harmless")])
            await loader.load(fixture.app)
            let harmless = try #require(edge.table.body(Self.address))
            // Browsers see a bracket also where an accent stands on it.
            let brackets = [page, harmless].map { $0.unicodeScalars.count { $0 == "<" } }
            #expect(brackets[0] == brackets[1])
        }
    }

    @Test func `a document that cannot be read takes no page away, and is not shown`() async throws
    {
        try await ExportFixture.with { fixture in
            let edge = fixture.edge()
            let loader = loader(fixture, edge)
            let turned = "abc\u{202E}gpj.exe"
            try fixture.publish(7, files: ["availability-ios": try document(saying: turned)])
            await loader.load(fixture.app)
            let page = try #require(edge.table.body(Self.address))
            #expect(page.contains("cannot read the document"))
            #expect(!page.unicodeScalars.contains("\u{202E}"))
        }
    }

    @Test func `a page follows what is published, its proof and its keys`() async throws {
        try await ExportFixture.with { fixture in
            let edge = fixture.edge()
            let loader = loader(fixture, edge)
            try fixture.publish(7)
            await loader.load(fixture.app)
            #expect(edge.table.body(Self.address)?.contains("Publication 7") == true)
            let proof = fixture.folder(7) / Manifest.proofFileName
            try proof.writeDurably(Array("**".utf8))
            await loader.load(fixture.app)
            let proven = try #require(edge.table.body(Self.address))
            #expect(proven.contains("<b>2</b>"))
            #expect(proven.contains("href=\"/distribution/harbour/proof.json\""))
            try fixture.publish(8)
            await loader.load(fixture.app)
            let next = try #require(edge.table.body(Self.address))
            #expect(next.contains("Publication 8"))
            #expect(next.contains("No proof"))
            await loader.trust(TrustedKeys([], revoked: [fixture.signer.keyID]))
            let gone = try #require(edge.table.body(Self.address))
            #expect(!gone.contains("\(fixture.signer.keyID)"))
            #expect(!gone.contains("href=\"/distribution/harbour/"))
        }
    }

    @Test func `there is no page unless it is asked for`() async throws {
        try await ExportFixture.with { fixture in
            let edge = fixture.edge()
            let loader = loader(fixture, edge, servingPages: false)
            try fixture.publish(7)
            await loader.load(fixture.app)
            #expect(edge.table.body(Self.address) == nil)
            #expect(edge.table.body("/distribution/harbour/availability-ios") != nil)
        }
    }

    @Test func `it is answered as a document is`() async throws {
        try await ExportFixture.with { fixture in
            let edge = fixture.edge()
            let loader = loader(fixture, edge)
            try fixture.publish(7)
            await loader.load(fixture.app)
            let page = try #require(edge.table.body(Self.address))
            try await EdgeFixture.with(table: edge.table) { _, address in
                try await RawConnection.with(address) { connection in
                    let zipped = "Accept-Encoding: gzip"
                    try await connection.send(EdgeFixture.get(Self.address, fields: [zipped]))
                    let answer = try #require(try await connection.answer())
                    #expect(answer["Content-Encoding"] == "gzip")
                    #expect(try await Unzipping.unzip(answer.body) == Array(page.utf8))
                    let known = "If-None-Match: \(try #require(answer["ETag"]))"
                    try await connection.send(EdgeFixture.get(Self.address, fields: [known]))
                    #expect(try await connection.answer()?.status == 304)
                }
            }
        }
    }
}
