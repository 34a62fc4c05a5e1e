import PlimsollDocuments
import PlimsollDomain
import PlimsollJSON
import PlimsollMarketplace
import PlimsollTestSupport
import Testing

/// What is found in the configuration that somebody publishes.
@Suite struct KitExaminationTests {
    private let domains = [domain("market.example.com")]

    private var good: JSONObject { MarketplaceKit.configuration(sampleMarketplace()) }

    private func examine(_ json: JSONObject) -> KitExamination {
        KitExamination(json.canonicalBytes(), on: domains)
    }

    private func places(_ issues: [JSONIssue]) -> [String] { issues.map(\.pointer.text) }

    @Test func `what Plimsoll publishes has no fault, and says where devices ask`() {
        let examination = examine(good)
        #expect(examination.faults.isEmpty)
        let root = "https://market.example.com"
        let asked = examination.asked.filter { $0.url.host == "market.example.com" }
        #expect(
            asked.map { "\($0.kind) \($0.url.text.dropFirst(root.count))" } == [
                "restore /restore", "updates /updates", "dynamicLicense /licenses",
                "licenseRenewal /renewals", "signingCertificate /signing.cer",
                "encryptionCertificate /encryption.cer",
            ]
        )
        let own = examination.asked.filter { $0.url.host == "store.market.example.com" }
        #expect(own.map(\.kind) == [.restore])
    }

    @Test func `everything that is wrong is said at once`() {
        var json = good
        json["restore"] = "http://market.example.com/restore"
        json["updates"] = ["url": "https://elsewhere.example.org/updates", "pollingInterval": 0]
        json["license"] = ["dynamicLicenseURL": "https://market.example.com/a#b"]
        json["overridesByAppleItemID"] = ["07": ["restore": 7], "8": .array([])]
        let examination = examine(json)
        #expect(examination.asked.isEmpty, "nobody is asked who is not the marketplace's")
        let found = Set(places(examination.faults))
        for place in [
            "/restore", "/updates/url", "/updates/pollingInterval", "/license/dynamicLicenseURL",
            "/license/signingCertificateURL", "/license/encryptionCertificateURL",
            "/overridesByAppleItemID/07", "/overridesByAppleItemID/07/restore",
            "/overridesByAppleItemID/07/updates", "/overridesByAppleItemID/8",
        ] {
            #expect(found.contains(place), "\(place)")
        }
    }

    @Test func `an override in an override is a fault`() {
        var json = good
        var inner = good
        inner["overridesByAppleItemID"] = [:]
        json["overridesByAppleItemID"] = ["7": .object(inner)]
        let place = "/overridesByAppleItemID/7/overridesByAppleItemID"
        #expect(places(examine(json).faults) == [place])
    }

    @Test(arguments: [
        (1, true), (23, true), (24, false), (720, false), (721, true), (43_200, true),
    ])
    func `an interval that is probably meant otherwise is named`(hours: Int, isNamed: Bool) {
        var json = good
        json["overridesByAppleItemID"] = nil
        json["updates"] = [
            "url": "https://market.example.com/updates", "pollingInterval": .integer(Int64(hours)),
        ]
        let examination = examine(json)
        #expect(examination.faults.isEmpty)
        #expect(places(examination.warnings).contains("/updates/pollingInterval") == isNamed)
    }

    @Test func `a key that Apple does not name is named`() {
        var json = good
        json["apiVersion"] = 1
        #expect(places(examine(json).warnings) == ["/apiVersion"])
    }

    @Test(arguments: ["", "[]", "{", "<html>", #"{"restore":"#, #"{"a":1,"a":2}"#])
    func `what is no document is a fault`(_ text: String) {
        let examination = KitExamination(Array(text.utf8), on: domains)
        #expect(!examination.faults.isEmpty && examination.asked.isEmpty)
    }

    @Test func `an answer has both arrays, and a code that is a number`() {
        let faults = { (text: String, name: String) in
            AnswerExamination.faults(of: Array(text.utf8), listing: name).map(\.pointer.text)
        }
        let failure = """
            {"appleItemId":"1","appleVersionId":"1","failure":{"code":404,"description":"No"}}
            """
        #expect(faults(#"{"restores":[],"failures":[\#(failure)],"more":1}"#, "restores") == [])
        #expect(faults(#"{"restores":[]}"#, "restores") == ["/failures"])
        #expect(faults(#"{"failures":[]}"#, "updates") == ["/updates"])
        let text = failure.replacing("404", with: #""404""#)
        let place = "/failures/0/failure/code"
        #expect(faults(#"{"restores":[],"failures":[\#(text)]}"#, "restores") == [place])
        let short = #"{"updates":[{"appleItemId":"1"}],"failures":[]}"#
        #expect(faults(short, "updates").count == 5)
        #expect(faults("[]", "updates").count == 1)
    }

    @Test func `metadata names S256, and addresses that are encrypted`() throws {
        let address = { (path: String) in
            try #require(EndpointURL("https://login.example.com/\(path)"))
        }
        let server = AuthorizationServer(
            issuer: try address(""),
            authorization: try address("authorize"),
            token: try address("token")
        )
        let good = MarketplaceKit.metadata(server)
        let faults = { (json: JSONObject) in
            AnswerExamination.faults(ofMetadata: json.canonicalBytes()).map(\.pointer.text)
        }
        #expect(faults(good) == [])
        var typo = good
        typo["code_challenge_methods_supported"] = ["5256"]
        typo["token_endpoint"] = "http://login.example.com/token"
        #expect(
            Set(faults(typo)) == ["/code_challenge_methods_supported", "/token_endpoint"]
        )
        #expect(faults([:]).count == 6)
        #expect(!AnswerExamination.faults(ofMetadata: Array("<html>".utf8)).isEmpty)
    }

    @Test func `a page is told from a certificate`() {
        let body = [UInt8](repeating: 0, count: 700)
        #expect(AnswerExamination.isCertificate([0x30, 0x82, 0x02, 0xBC] + body))
        #expect(!AnswerExamination.isCertificate([0x30, 0x82, 0x02, 0xBD] + body))
        #expect(AnswerExamination.isCertificate(Array("-----BEGIN CERTIFICATE-----\nMII".utf8)))
        for text in ["", "<html>", "-----BEGIN PUBLIC KEY-----"] {
            #expect(!AnswerExamination.isCertificate(Array(text.utf8)))
        }
    }
}
