import PlimsollDocuments
import PlimsollDomain
import Testing

@Suite struct AvailabilityWritingTests {
    private func text(_ document: AvailabilityDocument, _ profile: DocumentProfile) -> String {
        String(decoding: document.bytes(profile), as: UTF8.self)
    }

    private func english(_ text: String) throws -> [LanguageTag: Text] {
        [try #require(LanguageTag("en")): try Text(validating: text)]
    }

    private static let nothingOnIOS = [
        "minimumApp", "minimumOS", "recommendedApp", "recommendedOS",
    ]
    .map { #""\#($0)Version":{"description":{},"title":{},"value":"0"}"# }
    .joined(separator: ",")

    @Test func `nothing set is zero and no texts in a complete document`() {
        let ios = AvailabilityDocument(Document(platform: .ios), stamp: nil)
        #expect(text(ios, .complete) == "{\(Self.nothingOnIOS)}")
        let android = AvailabilityDocument(Document(platform: .android), stamp: nil)
        #expect(
            text(android, .complete)
                == #"{"minimumAppVersion":{"description":{"en-GB":""},"title":{},"value":0},"#
                + #""minimumSDKVersion":{"description":{"en-GB":""},"title":{},"value":0},"#
                + #""recommendedAppVersion":{"description":{},"title":{},"value":0}}"#
        )
    }

    @Test func `nothing set is nothing in a minimal document`() {
        for platform in [Platform.ios, .macos, .android] {
            let document = AvailabilityDocument(Document(platform: platform), stamp: nil)
            #expect(text(document, .minimal) == "{}")
        }
    }

    @Test func `only what is set stands in a minimal document`() throws {
        var document = Document(platform: .ios)
        document[.minimumApp].value = .dotted(try #require(AppleVersion("6.00")))
        document[.recommendedOS] = Threshold(titles: try english("T"))
        let written = AvailabilityDocument(document, stamp: nil)
        #expect(text(written, .minimal) == #"{"minimumAppVersion":{"value":"6.00"}}"#)
        #expect(
            written.formerBytes(.minimal).map { String(decoding: $0, as: UTF8.self) }
                == #"{"minimumAppVersion":{"value":"6.00"},"#
                + #""recommendedOSVersion":{"title":{"en":"T"}}}"#
        )
    }

    @Test func `a document for the first apps has both minima and nothing else`() throws {
        var document = Document(platform: .ios)
        document[.minimumApp] = Threshold(
            value: .dotted(try #require(AppleVersion("6.00"))),
            descriptions: try english("D")
        )
        document[.recommendedOS] = Threshold(titles: try english("T"))
        #expect(
            text(AvailabilityDocument(document, stamp: nil), .versionThree)
                == #"{"minimumAppVersion":{"description":{"en":"D"},"value":"6.00"},"#
                + #""minimumOSVersion":{"description":{},"value":"0"}}"#
        )
        #expect(AvailabilityDocument(document, stamp: nil).formerBytes(.complete) == nil)
        #expect(
            AvailabilityDocument(Document(platform: .android), stamp: nil).formerBytes(.complete)
                .map { String(decoding: $0, as: UTF8.self) }?.contains("en-GB") == false
        )
    }

    @Test func `a value is written as it was given`() throws {
        var document = Document(platform: .macos)
        document[.minimumOS].value = .dotted(try #require(AppleVersion("014.05")))
        #expect(
            text(AvailabilityDocument(document, stamp: nil), .minimal)
                == #"{"minimumOSVersion":{"value":"014.05"}}"#
        )
    }

    @Test func `the stamp has the agreed form`() throws {
        let stamp = DocumentStamp(
            app: try #require(AppSlug("harbour")),
            platform: .ios,
            issue: try Snapshots().issue
        )
        #expect(
            text(AvailabilityDocument(Document(platform: .ios), stamp: stamp), .minimal)
                == #"{"plimsoll":{"app":"harbour","expiresAt":"2026-09-28T14:13:20.123Z","#
                + #""issuedAt":"2026-09-21T14:13:20.123Z","platform":"ios","position":58,"#
                + #""sequence":57}}"#
        )
    }

    @Test(
        arguments: [
            (Platform.ios, "availability-ios"), (.macos, "availability-macos"),
            (.android, "availability-android"), (.jvm, nil),
        ] as [(Platform, String?)]
    )
    func `the name of a file is the end of its address`(platform: Platform, name: String?) {
        #expect(AvailabilityDocument.fileName(for: platform)?.text == name)
    }

    @Test func `a document where there is none is a mistake of the program`() async {
        await #expect(processExitsWith: .failure) {
            _ = AvailabilityDocument(Document(platform: .jvm), stamp: nil)
        }
    }
}
