import Foundation
import PlimsollDocuments
import PlimsollDomain
import PlimsollJSON
import PlimsollMarketplace
import PlimsollTestSupport
import Testing

/// What devices send for licences, good and bad, and who gets none.
@Suite struct LicenseRequestTests {
    private static let key = Data(repeating: 7, count: 384).base64EncodedString()
    private static let sealed = Data(repeating: 1, count: 32).base64EncodedString()
    private static let app = #"{"appleVersionId":"878123456789","assetPublicId":"1f0c-a"}"#

    private static func body(
        _ apps: String = #"{"10737747186":\#(app)}"#,
        key: String = #""\#(key)""#,
        sealed: String = #""\#(sealed)""#
    ) -> String {
        #"{"licenseRequest":\#(sealed),"licenseKey":\#(key),"appsById":\#(apps)}"#
    }

    private func request(_ text: String) throws -> LicenseRequest {
        try LicenseRequest(parsing: Array(text.utf8))
    }

    @Test func `a request has a sealed part, its key, and apps`() throws {
        let request = try request(Self.body())
        #expect(request.envelope == LicenseEnvelope(request: Self.sealed, key: Self.key))
        let app = LicenseRequest.App(version: versionID(878_123_456_789), asset: "1f0c-a")
        #expect(request.apps == [item(10_737_747_186): app])
    }

    @Test func `versions are read under both of Apple's names, and more is passed over`() throws {
        let other = Self.app.replacing("appleVersionId", with: "appleVersionID")
            .replacing("}", with: #","more":[1]}"#)
        let text = Self.body(#"{"10737747186":\#(other)}"#).replacing(
            #"{"licenseRequest""#,
            with: #"{"more":{"a":null},"licenseRequest""#
        )
        #expect(try request(text) == request(Self.body()))
    }

    @Test(arguments: [
        "", "[]", "{}", body("{}"), body("[]"), body("null"), body(#"{"x":\#(app)}"#),
        body(#"{"0":\#(app)}"#), body(#"{"1":1}"#), body(#"{"1":{}}"#),
        body(#"{"1":{"appleVersionId":"1"}}"#),
        body(#"{"1":{"appleVersionId":1,"assetPublicId":"a"}}"#),
        body(#"{"1":{"appleVersionId":"0","assetPublicId":"a"}}"#),
        body(#"{"1":{"appleVersionId":"1","assetPublicId":""}}"#),
        body(#"{"1":{"appleVersionId":"1","assetPublicId":"../a"}}"#),
        body(#"{"1":\#(app),"1":\#(app)}"#), body(key: "null"), body(key: #""""#),
        body(key: #""AAAA""#), body(key: #""?""#), body(sealed: #""""#), body(sealed: #""AAAA""#),
        body(sealed: "1"), body() + String(repeating: " ", count: 1 << 20),
    ])
    func `what is no request is refused`(_ text: String) {
        #expect(throws: JSONIssues.self) { try request(text) }
    }

    @Test func `a thousand apps are read, and one more is not`() throws {
        let apps = { (count: Int) in
            let list = (1...count).map { #""\#($0)":\#(Self.app)"# }
            return "{\(list.joined(separator: ","))}"
        }
        #expect(try request(Self.body(apps(1000))).apps.count == 1000)
        #expect(throws: JSONIssues.self) { try request(Self.body(apps(1001))) }
    }

    @Test func `a renewal has a sealed part and its key`() throws {
        let text = #"{"renewalRequest":"\#(Self.sealed)","licenseKey":"\#(Self.key)","more":1}"#
        let request = try RenewalRequest(parsing: Array(text.utf8))
        #expect(request.envelope == LicenseEnvelope(request: Self.sealed, key: Self.key))
        for bad in ["", "[]", "{}", Self.body(), text.replacing(Self.key, with: "AAAA")] {
            #expect(throws: JSONIssues.self) { try RenewalRequest(parsing: Array(bad.utf8)) }
        }
    }

    @Test func `what is not sold here or was withdrawn gets none, what was offered before does`() {
        let storefront = Storefront(
            MarketplaceDocument(
                marketplace: sampleMarketplace(),
                stamp: sampleStamp(slug("tidewater"))
            ),
            [
                PackagesDocument(
                    listings: [slug("tidewater"): sampleListing()],
                    packages: [samplePackage(9)],
                    withdrawn: [versionID(7), versionID(8)],
                    stamp: sampleStamp(harbour)
                )
            ]
        )
        let listed = sampleListing().item
        let unlicensed = { (item: AppleItemID, version: UInt64) in
            let app = LicenseRequest.App(version: versionID(version), asset: "a")
            let envelope = LicenseEnvelope(request: Self.sealed, key: Self.key)
            return storefront.unlicensed(LicenseRequest(envelope: envelope, apps: [item: app]))
        }
        #expect(unlicensed(listed, 9).isEmpty)
        #expect(unlicensed(listed, 6).isEmpty)
        #expect(unlicensed(listed, 7) == [listed])
        #expect(unlicensed(item(1), 9) == [item(1)])
        #expect(
            storefront.licensePolicy == [
                "listed": ["10737747186"], "withdrawn": ["10737747186": ["7", "8"]],
            ]
        )
    }
}
