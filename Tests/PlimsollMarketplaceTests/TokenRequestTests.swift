import PlimsollDocuments
import PlimsollDomain
import PlimsollJSON
import PlimsollMarketplace
import PlimsollTestSupport
import Testing

/// What the marketplace's own app asks for before it installs another.
@Suite struct TokenRequestTests {
    private let storefront = Storefront(
        MarketplaceDocument(
            marketplace: sampleMarketplace(),
            stamp: sampleStamp(slug("tidewater"))
        ),
        [
            PackagesDocument(
                listings: [slug("tidewater"): sampleListing()],
                packages: [samplePackage(2, minimumSystem: "26")],
                withdrawn: [versionID(1)],
                stamp: sampleStamp(harbour)
            )
        ]
    )

    private func request(_ text: String) throws -> TokenRequest {
        try TokenRequest(parsing: Array(text.utf8))
    }

    @Test func `a request names an app and a version, and may say whether it was there`() throws {
        let request = try request(
            #"{"appleItemId":"10737747186","appleVersionId":"18446744073709551615"}"#
        )
        #expect(request == TokenRequest(item: item(10_737_747_186), version: versionID(.max)))
        let second = try self.request(
            #"{"appleItemId":"1","appleVersionId":"2","redownload":true}"#
        )
        #expect(second.isRedownload == true)
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"appleItemId":"1"}"#, #"{"appleItemId":1,"appleVersionId":2}"#,
        #"{"appleItemId":"1","appleVersionId":"0"}"#,
        #"{"appleItemId":"1","appleVersionId":"2","appleVersionId":"3"}"#,
        #"{"appleItemId":"1","appleVersionId":"2","redownload":"yes"}"#,
        #"{"appleItemId":"1","appleVersionId":"2","more":1}"#,
        #"{"appleItemId":"1","appleVersionId":"2"}"# + String(repeating: " ", count: 4096),
    ])
    func `what is no request is refused`(text: String) {
        #expect(throws: JSONIssues.self) { try request(text) }
    }

    @Test func `there is a token for what is offered, and a reason for what is not`() throws {
        let answer = { (version: UInt64) in
            TokenRequest(item: sampleListing().item, version: versionID(version))
                .answer(in: storefront)
        }
        let offered = try answer(2).get()
        #expect(offered.package == samplePackage(2, minimumSystem: "26"))
        let expected: JSONObject = [
            "appleItemId": "10737747186", "appleVersionId": "2", "installVerificationToken": "t",
        ]
        #expect(offered.answer(token: Array("t".utf8)) == expected.canonicalBytes())
        #expect(answer(1) == .failure(.withdrawn))
        #expect(answer(3) == .failure(.notOffered))
        let foreign = TokenRequest(item: item(9), version: versionID(2))
        #expect(foreign.answer(in: storefront) == .failure(.unlisted))
    }
}
