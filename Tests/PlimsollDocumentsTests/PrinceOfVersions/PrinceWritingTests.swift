import PlimsollDocuments
import PlimsollDomain
import PlimsollJSON
import Testing

@Suite struct PrinceWritingTests {
    private func text(_ document: PrinceOfVersionsDocument) -> String {
        String(decoding: document.bytes, as: UTF8.self)
    }

    @Test func `offers are arrays under the platform's name`() throws {
        let ios = Offer(
            required: try PrinceSamples.version("3.0.0-15", on: .ios),
            last: try PrinceSamples.version(4, on: .ios),
            notification: .always,
            requirements: OfferRequirements(system: try PrinceSamples.system(15, on: .ios)),
            metadata: try PrinceSamples.metadata(["required.title.de-AT": "Schöner"])
        )
        let android = Offer(required: try PrinceSamples.version(3, on: .android))
        let document = PrinceOfVersionsDocument(
            offers: [.ios: [ios, .nothing(on: .ios)], .android: [android]],
            metadata: try PrinceSamples.metadata(["a": "b"])
        )
        #expect(
            text(document) == #"{"android":[{"notify_last_version_frequency":"ONCE","#
                + #""required_version":300}],"ios":[{"last_version_available":"4.0.0","#
                + #""meta":{"required.title.de-AT":"Schöner"},"#
                + #""notify_last_version_frequency":"ALWAYS","required_version":"3.0.0-15","#
                + #""requirements":{"required_os_version":"15.0.0"}},"#
                + #"{"last_version_available":"0.0.0","notify_last_version_frequency":"ONCE"}],"#
                + #""meta":{"a":"b"}}"#
        )
    }

    @Test func `with clients before 4·0 the arrays stand under names with a 2`() throws {
        let version = { (platform: Platform) in
            [Offer(last: try PrinceSamples.version(3, on: platform))]
        }
        let legacy = LegacyOffer(
            minimum: .init("2.0.0", system: try PrinceSamples.system(14, on: .ios)),
            latest: .init("3.0.0", system: nil),
            notification: .once
        )
        let document = PrinceOfVersionsDocument(
            offers: [.ios: try version(.ios), .jvm: try version(.jvm)],
            legacy: [.ios: legacy]
        )
        #expect(
            text(document) == #"{"ios":{"latest_version":{"notification_type":"ONCE","#
                + #""version":"3.0.0"},"minimum_version":"2.0.0","#
                + #""minimum_version_min_sdk":"14.0.0"},"ios2":[{"last_version_available":"3.0.0","#
                + #""notify_last_version_frequency":"ONCE"}],"jvm":[{"last_version_available":"#
                + #""3.0.0","notify_last_version_frequency":"ONCE"}]}"#
        )
    }

    @Test func `requirements always name the system on Apple's platforms`() throws {
        let custom = OfferRequirements(custom: try PrinceSamples.custom(["tester": "yes"]))
        for platform in Platform.allCases {
            let version = try PrinceSamples.version(3, on: platform)
            let document = PrinceOfVersionsDocument(
                offers: [
                    platform: [
                        Offer(last: version, requirements: custom), .nothing(on: platform),
                    ]
                ]
            )
            let written = text(document)
            #expect(
                written.contains(#""required_os_version":"0.0.0""#)
                    == (platform.systemKind == .dotted)
            )
            #expect(try PrinceOfVersionsDocument(parsing: document.bytes) == document)
        }
    }

    @Test func `the JVM is asked for its own release`() throws {
        let offer = Offer(
            last: try PrinceSamples.version(3, on: .jvm),
            requirements: OfferRequirements(system: try PrinceSamples.system(17, on: .jvm))
        )
        let document = PrinceOfVersionsDocument(offers: [.jvm: [offer, .nothing(on: .jvm)]])
        #expect(text(document).contains(#""requirements":{"required_jvm_version":17}"#))
    }

    @Test func `the stamp says where the document is from`() throws {
        let document = PrinceOfVersionsDocument(
            offers: [.ios: [.nothing(on: .ios)]],
            stamp: try PrinceSamples.stamp()
        )
        #expect(
            document.json["plimsoll"] == [
                "app": "harbour", "sequence": 7, "position": 8,
                "issuedAt": "2026-01-02T03:04:05.000Z", "expiresAt": "2026-01-09T03:04:05.000Z",
            ]
        )
        #expect(try PrinceOfVersionsDocument(parsing: document.bytes) == document)
    }
}
