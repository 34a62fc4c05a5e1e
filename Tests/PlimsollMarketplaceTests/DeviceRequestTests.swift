import PlimsollDocuments
import PlimsollDomain
import PlimsollJSON
import PlimsollMarketplace
import PlimsollTestSupport
import Testing

/// What devices send, good and bad, and what they are answered.
@Suite struct DeviceRequestTests {
    private func request(_ text: String) throws -> DeviceRequest {
        try DeviceRequest(parsing: Array(text.utf8))
    }

    private func body(
        _ apps: String,
        platform: String = #""iOS""#,
        system: String = #""17.4""#
    ) -> String {
        #"{"apps":\#(apps),"platform":\#(platform),"osVersion":\#(system)}"#
    }

    private let one = #"{"appleItemId":"10737747186","appleVersionId":"878123456789"}"#

    @Test func `a request says apps, platform and system`() throws {
        let request = try request(body("[\(one)]"))
        let app = DeviceRequest.App(
            item: item(10_737_747_186),
            version: versionID(878_123_456_789)
        )
        #expect(request.apps == [app])
        #expect(request.device.platform == .ios)
        #expect(request.device.system.written == "17.4")
    }

    @Test func `numbers are read to the last, and 0 is no version`() throws {
        let apps = """
            [{"appleItemId":"18446744073709551615","appleVersionId":"9007199254740993"},
             {"appleItemId":"1","appleVersionId":"0"}]
            """
        let read = try request(body(apps)).apps
        #expect(read.map(\.item.number) == [.max, 1])
        #expect(read.map(\.version?.number) == [9_007_199_254_740_993, nil])
    }

    @Test func `the same app is answered once, another version of it by itself`() throws {
        let other = one.replacing("878123456789", with: "7")
        #expect(try request(body("[\(one),\(one),\(other),\(one)]")).apps.count == 2)
    }

    @Test func `what later systems may say beside is passed over`() throws {
        let more = one.replacing("}", with: #","assetPublicId":"x","more":{"a":[1]}}"#)
        let text = body("[\(more)]").replacing(#""platform""#, with: #""locale":"cy","platform""#)
        #expect(try request(text) == request(body("[\(one)]")))
    }

    @Test func `a thousand apps are read, and one more is not`() throws {
        let apps = { (count: Int) in
            let list = (1...count).map { #"{"appleItemId":"\#($0)","appleVersionId":"1"}"# }
            return "[\(list.joined(separator: ","))]"
        }
        #expect(try request(body(apps(1000))).apps.count == 1000)
        #expect(throws: JSONIssues.self) { try request(body(apps(1001))) }
    }

    private func faults(_ text: String) -> [String] {
        do throws(JSONIssues) {
            _ = try DeviceRequest(parsing: Array(text.utf8))
            return []
        } catch {
            return error.issues.map(\.description)
        }
    }

    @Test(arguments: ["{}", "1", #"{"appleItemId":"1","appleVersionId":"1"}"#])
    func `of too many apps none is read, whatever stands there`(_ app: String) {
        let apps = { "[\(Array(repeating: app, count: $0).joined(separator: ","))]" }
        let refusal = "/apps: There are 1001 apps; at most 1000 are answered."
        #expect(faults(body(apps(1001))) == [refusal])
        #expect(
            faults(body(apps(1001), platform: "7")).map { $0.prefix { $0 != ":" } }
                == ["/platform", "/apps"]
        )
        #expect(!faults(body(apps(1000))).contains(refusal))
    }

    @Test(arguments: [
        "", " ", "null", "[]", "{}", #"{"apps":[]}"#, "{", #"{"apps":{},"platform":"iOS"}"#,
        String(repeating: "[", count: 100_000), String(repeating: #"{"apps":"#, count: 10_000),
        String(repeating: " ", count: (1 << 20) + 1),
    ])
    func `what is no request is refused`(_ text: String) {
        #expect(throws: JSONIssues.self) { try request(text) }
    }

    @Test(arguments: [
        ("[]", #""iOS""#, #""17.4""#), ("[1]", #""iOS""#, #""17.4""#),
        ("[{}]", #""iOS""#, #""17.4""#),
        (#"[{"appleItemId":10737747186,"appleVersionId":"1"}]"#, #""iOS""#, #""17.4""#),
        (#"[{"appleItemId":"1e9","appleVersionId":"1"}]"#, #""iOS""#, #""17.4""#),
        (#"[{"appleItemId":"0","appleVersionId":"1"}]"#, #""iOS""#, #""17.4""#),
        (#"[{"appleItemId":"1","appleVersionId":"-1"}]"#, #""iOS""#, #""17.4""#),
        (#"[{"appleItemId":"1","appleVersionId":"18446744073709551616"}]"#, #""iOS""#, #""17.4""#),
        (#"[{"appleItemId":"1","appleVersionId":"1"}]"#, #""""#, #""17.4""#),
        (#"[{"appleItemId":"1","appleVersionId":"1"}]"#, "7", #""17.4""#),
        (#"[{"appleItemId":"1","appleVersionId":"1"}]"#, #""iOS""#, #""""#),
        (#"[{"appleItemId":"1","appleVersionId":"1"}]"#, #""iOS""#, #""17.4 beta""#),
        (#"[{"appleItemId":"1","appleVersionId":"1"}]"#, #""iOS""#, "17.4"),
    ])
    func `a member that makes no sense is named`(
        _ apps: String,
        _ platform: String,
        _ system: String
    ) {
        #expect(throws: JSONIssues.self) {
            try request(body(apps, platform: platform, system: system))
        }
    }

    // MARK: Answers

    private var storefront: Storefront {
        Storefront(
            MarketplaceDocument(
                marketplace: sampleMarketplace(),
                stamp: sampleStamp(slug("tidewater"))
            ),
            [
                PackagesDocument(
                    listings: [slug("tidewater"): sampleListing(1)],
                    packages: [samplePackage(5), samplePackage(7)],
                    withdrawn: [versionID(6)],
                    stamp: sampleStamp(harbour)
                )
            ]
        )
    }

    private func answer(_ question: DeviceQuestion, _ apps: String) throws -> JSONObject {
        let answer = DeviceAnswer(question, try request(body(apps)), in: storefront)
        let tokens = answer.offers.map { Array("token-\($0.package.version)".utf8) }
        let value = try JSONValue(parsingCanonical: answer.bytes(tokens))
        return try #require(value.object)
    }

    // Method: the same app stands there with what is offered, with an older and with no version.
    @Test func `of an app that stands there twice the newest version is installed`() throws {
        let app = { (version: String) in #"{"appleItemId":"1","appleVersionId":"\#(version)"}"# }
        let older = try answer(.updates, "[\(app("0")),\(app("5")),\(app("4"))]")
        #expect(older["updates"]?.array?.count == 1)
        let newest = try answer(.updates, "[\(app("0")),\(app("7")),\(app("5"))]")
        #expect(newest == ["updates": [], "failures": []])
        let restored = try answer(.restore, "[\(app("5")),\(app("7")),\(app("5"))]")
        #expect(restored["restores"]?.array?.count == 2)
    }

    @Test(
        arguments: [
            ("7", "17.4", nil), ("5", "17.3", FailureReason.systemTooOld), ("8", "17.3", nil),
        ] as [(String, String, FailureReason?)]
    )
    func `what keeps a device from the newest version is counted`(
        installed: String,
        system: String,
        reason: FailureReason?
    ) throws {
        let apps = #"[{"appleItemId":"1","appleVersionId":"\#(installed)"}]"#
        let asked = try request(body(apps, system: #""\#(system)""#))
        #expect(DeviceAnswer(.updates, asked, in: storefront).hindrances == [reason])
    }

    @Test func `an update tells the package, its numbers and where to read about it`() throws {
        let json = try answer(.updates, #"[{"appleItemId":"1","appleVersionId":"5"}]"#)
        let expected: JSONObject = [
            "updates": [
                [
                    "appleItemId": "1", "appleVersionId": "7",
                    "alternativeDistributionPackage": "https://market.example.com/packages/7/",
                    "installVerificationToken": "token-7", "bundleVersion": "412",
                    "shortVersionString": "3.2.0",
                    "appShareURL": "https://market.example.com/apps/1",
                ]
            ],
            "failures": [],
        ]
        #expect(json == expected)
    }

    // Method: one is offered, one withdrawn, one not sold here, one up to date.
    @Test func `each app of a batch is answered by itself`() throws {
        let apps = """
            [{"appleItemId":"1","appleVersionId":"5"},{"appleItemId":"1","appleVersionId":"6"},
             {"appleItemId":"2","appleVersionId":"5"}]
            """
        let json = try answer(.restore, apps)
        #expect(json["restores"]?.array?.map { $0["appleVersionId"] } == ["5"])
        #expect(json["restores"]?.array?.first?["bundleVersion"] == nil)
        let failures = try #require(json["failures"]?.array)
        #expect(failures.map { $0["appleItemId"]?.string } == ["1", "2"])
        #expect(failures.map { $0["failure"]?["code"]?.integer } == [404, 404])
        let current = try answer(.updates, #"[{"appleItemId":"1","appleVersionId":"7"}]"#)
        let nothing: JSONObject = ["updates": [], "failures": []]
        #expect(current == nothing)
    }

    @Test func `documents are read as they were written`() throws {
        let document = PackagesDocument(
            listings: [slug("tidewater"): sampleListing()],
            packages: [samplePackage(.max), samplePackage(1)],
            withdrawn: [versionID(3)],
            stamp: sampleStamp(harbour)
        )
        #expect(try PackagesDocument(parsing: document.bytes) == document)
        let marketplace = MarketplaceDocument(
            marketplace: sampleMarketplace(),
            stamp: sampleStamp(slug("tidewater"))
        )
        #expect(try MarketplaceDocument(parsing: marketplace.bytes) == marketplace)
    }
}
