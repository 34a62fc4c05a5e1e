import PlimsollDocuments
import PlimsollDomain
import PlimsollJSON
import Testing

/// What is said of a document beside another one.
@Suite struct PrinceOfVersionsNoteTests {
    private func export(last: String, on platform: Platform) -> PrinceOfVersionsExport {
        var document = Document(platform: platform)
        document.offers = [
            Offer(last: OfferVersion(written: last, on: platform))
        ]
        var other = Document(platform: .jvm)
        other.offers = [Offer(required: OfferVersion(written: "1.0.0", on: .jvm))]
        return PrinceOfVersionsExport(PrinceOfVersionsExport.Source([document, other]))
    }

    @Test func `what tells nobody anything else has no notes`() {
        let export = export(last: "3.0.0", on: .ios)
        #expect(export.notes(replacing: export) == [])
    }

    @Test(arguments: [(Platform.ios, "3.4.0", "3.3.0"), (.android, "340", "330")])
    func `a last version that falls or rises is named, with who is told once more`(
        platform: Platform,
        high: String,
        low: String
    ) {
        let (above, below) = (export(last: high, on: platform), export(last: low, on: platform))
        let notes = below.notes(replacing: above)
        #expect(notes.map(\.code) == ["lastVersionLowered"])
        #expect(notes.first?.platform == platform)
        #expect(notes.first?.sentence.contains("from \(high) to \(low)") == true)
        let rising = above.notes(replacing: below)
        #expect(rising.map(\.code) == ["lastVersionRaised"])
        let again = platform == .android ? "also if they" : "unless they"
        #expect(rising.first?.sentence.contains("from \(low) to \(high)") == true)
        #expect(rising.first?.sentence.contains(again) == true)
    }

    // Goal: what the note says of who is told once more is what the clients do. Method: the last
    // version rises to what everybody was told of before it fell.
    @Test(arguments: [
        (PrinceOfVersionsClient.ios408, false), (.macos408, false), (.kotlinIOS, true),
        (.android404, true),
    ])
    func `who is told once more of a version that comes back`(
        client: PrinceOfVersionsClient,
        isTold: Bool
    ) {
        var memory = PrinceOfVersionsMemory()
        let (app, versions) =
            client.platform == .android
            ? ("300", ["340", "330", "340"]) : ("3.0.0", ["3.4.0", "3.3.0", "3.4.0"])
        let looks = versions.map { version in
            client.check(
                export(last: version, on: client.platform).document.bytes,
                on: PrinceOfVersionsDevice(
                    appVersion: app,
                    os: client.platform == .android ? "30" : "17.0.0"
                ),
                remembering: &memory
            ).status.rawValue
        }
        #expect(looks[0] == "NEW_UPDATE_AVAILABLE")
        #expect(looks[2] == (isTold ? "NEW_UPDATE_AVAILABLE" : "NO_UPDATE_AVAILABLE"))
    }

    // Both notes are there on Apple's platforms and on Android as far as each applies.
    @Test func `an object that was taken over is named where offers would say otherwise`() throws {
        var document = Document(platform: .ios)
        document.offers = [Offer(last: OfferVersion(written: "3.0.0", on: .ios))]
        func notes(_ latest: String) throws -> [PrinceOfVersionsNote] {
            document.legacy = LegacyOffer(
                ["latest_version": ["version": .string(latest)]],
                on: .ios
            )
            try #require(document.legacy != nil)
            return PrinceOfVersionsExport(PrinceOfVersionsExport.Source([document])).notes
        }
        #expect(try notes("3").filter { $0.code == "legacyKept" } == [])
        let kept = try notes("2.9")
        #expect(kept.map(\.code) == ["legacyKept"])
        #expect(kept.first?.sentence.contains("latest 2.9, told once") == true)
        #expect(kept.first?.sentence.contains("latest 3.0.0, told once") == true)
        #expect(kept.first?.sentence.contains("clear ios.legacy") == true)
    }
}
