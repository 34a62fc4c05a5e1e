import Crypto
import Foundation
import PlimsollDocuments
import PlimsollDomain
import PlimsollTestSupport
import Testing

@testable import PlimsollClient

/// Holds the client's own reader, verifier and decision against the service's.
///
/// It has them because apps must not link the service; so the two must never differ.
@Suite struct AgreementTests {
    private typealias Service = PlimsollDomain.Document

    private static let languages = ["cy", "de", "de-CH", "en", "en-GB", "en-US", "gd"]
    private static let readers = languages + ["de-AT", "en-AU", "fr"]
    private static let dotted = ["0", "0.0.0", "1", "3.2", "3.2.0", "3.10", "6.00", "13.5"]
    private static let integers: [Int64] = [1, 2, 23, 24, 300, 2_147_483_647]

    @Test(arguments: SeededGenerator.seeds)
    func `a document means the same to both, on every device`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 1...300 {
            let platform = try #require(
                [PlimsollDomain.Platform.ios, .macos, .android].randomElement(using: &generator)
            )
            let document = try Self.document(platform, &generator)
            let profile: DocumentProfile = Bool.random(using: &generator) ? .complete : .minimal
            let bytes = PlimsollDocuments.AvailabilityDocument(
                document,
                stamp: try Self.stamp(platform)
            ).bytes(profile)
            let read = try PlimsollClient.AvailabilityDocument(parsing: Data(bytes))
            for _ in 1...20 { try Self.compare(document, read, &generator) }
        }
    }

    private static func compare(
        _ document: Service,
        _ read: PlimsollClient.AvailabilityDocument,
        _ generator: inout SeededGenerator
    ) throws {
        let platform = document.platform
        let (os, app) = (value(platform, &generator), value(platform, &generator))
        let store = Bool.random(using: &generator) ? value(platform, &generator) : nil
        let language = try #require(readers.randomElement(using: &generator))
        let theirDevice = PlimsollDomain.Device(
            platform: platform,
            os: os,
            app: app,
            store: store,
            language: tag(language)
        )
        let theirs = document.decision(on: try #require(theirDevice))
        let ourDevice = PlimsollClient.Device(
            platform: read.stamp.platform,
            os: try version(os),
            app: try version(app)
        )
        let ours = read.decision(
            on: try #require(ourDevice),
            storeVersion: try store.map(version),
            languages: [language],
            fallbackLanguage: "en-GB"
        )
        #expect(ours.verdict.rawValue == theirs.verdict.rawValue, "\(os) \(app) \(store as Any)")
        // Where a shipped app shows nothing, ours falls back to some language.
        if let text = theirs.description, !text.isEmpty { #expect(ours.description == text) }
        if let text = theirs.title, !text.isEmpty { #expect(ours.title == text) }
    }

    @Test func `the service warns of what is longer than the client takes`() throws {
        let key = P256.Signing.PrivateKey().publicKey.pemRepresentation
        let configuration = try AvailabilityClient.Configuration(
            service: try #require(URL(string: "https://updates.example.org")),
            app: "harbour",
            device: try Self.device(),
            keys: try PinnedKeys(pem: ["0a1b2c3d-0000-4000-8000-000000000001": key]),
            folder: nil
        )
        #expect(configuration.bodyMaximum == PublishedDocument.ownClientMaximum)
    }

    private static func device() throws -> PlimsollClient.Device {
        let (os, app) = (try #require(Version("17.0")), try #require(Version("3.2.0")))
        let device = PlimsollClient.Device(platform: .ios, os: os, app: app)
        return try #require(device)
    }

    @Test func `both take and refuse the same headers`() throws {
        let key = P256.Signing.PrivateKey()
        let id = try #require(KeyID("0a1b2c3d-0000-4000-8000-000000000001"))
        let body = Array("{}".utf8)
        let signature = try DistributionSignature(
            signing: body,
            date: SignatureDate(testNow),
            with: ContentSigner(keyID: id, privateKey: key)
        )
        let trusted = TrustedKeys([.init(id: id, publicKey: PublicKey(key.publicKey))])
        let pinned = try PinnedKeys(pem: [id.text: key.publicKey.pemRepresentation])
        let (header, date) = (signature.headers[0].value, signature.headers[1].value)
        var accepted = 0
        for (header, date) in Self.variants(of: header, date) {
            let theirs =
                (try? DistributionSignature(signatureHeader: header, dateHeader: date)
                    .verify(body, keys: trusted)) != nil
            let signed = SignedDocument(body: Data(body), signature: header, date: date)
            let ours = (try? signed.verify(with: pinned)) != nil
            #expect(ours == theirs, "\(header ?? "none") \(date ?? "none")")
            accepted += ours ? 1 : 0
        }
        #expect(accepted == 1)
    }

    /// The right ones first, then each byte of them left out, doubled and changed.
    private static func variants(of header: String, _ date: String) -> [(String?, String?)] {
        var variants: [(String?, String?)] = [(header, date), (nil, date), (header, nil)]
        for (text, isHeader) in [(header, true), (date, false)] {
            for index in text.indices {
                let next = text.index(after: index)
                let (before, after) = (text[..<index], text[next...])
                let changed = text[index] == " " ? "_" : " "
                for bad in [
                    "\(before)\(after)", "\(before)\(text[index])\(text[index...])",
                    "\(before)\(changed)\(after)",
                ] {
                    variants.append(isHeader ? (bad, date) : (header, bad))
                }
            }
        }
        return variants
    }

    private static func document(
        _ platform: PlimsollDomain.Platform,
        _ generator: inout SeededGenerator
    ) throws -> Service {
        var document = Service(platform: platform)
        for name in platform.thresholds where Int.random(in: 0..<4, using: &generator) > 0 {
            document[name] = PlimsollDomain.Threshold(
                value: Bool.random(using: &generator) ? value(platform, &generator) : nil,
                titles: try texts("\(name) title", &generator),
                descriptions: try texts("\(name) \"text\"\n\n\u{1F6A2} é", &generator)
            )
        }
        return document
    }

    private static func texts(
        _ words: String,
        _ generator: inout SeededGenerator
    ) throws -> [LanguageTag: Text] {
        var texts: [LanguageTag: Text] = [:]
        for language in languages where Bool.random(using: &generator) {
            texts[tag(language)] = try text("\(words) \(language)")
        }
        return texts
    }

    private static func value(
        _ platform: PlimsollDomain.Platform,
        _ generator: inout SeededGenerator
    ) -> VersionValue {
        platform == .android
            ? code(integers.randomElement(using: &generator) ?? 1)
            : PlimsollTestSupport.dotted(dotted.randomElement(using: &generator) ?? "1")
    }

    private static func version(_ value: VersionValue) throws -> Version {
        switch value {
        case .dotted(let version): try #require(Version(version.written))
        case .integer(let version): try #require(Version(code: Int(version.number)))
        }
    }

    private static func stamp(
        _ platform: PlimsollDomain.Platform
    ) throws -> PlimsollDocuments.DocumentStamp {
        PlimsollDocuments.DocumentStamp(
            app: harbour,
            platform: platform,
            issue: SnapshotIssue(
                sequence: try #require(SnapshotSequence(rawValue: 7)),
                position: try #require(Position(rawValue: 9)),
                issuedAt: testNow,
                expiresAt: testNow.advanced(by: .seconds(604_800))
            )
        )
    }
}
