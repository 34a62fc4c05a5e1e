import PlimsollDomain
import PlimsollTestSupport
import PlimsollService
import Testing

@Suite struct AdmissionTests {
    private func url(_ text: String) throws -> WebhookURL { try #require(WebhookURL(text)) }

    @Test func `what is not encrypted is refused, unless it is allowed`() throws {
        let place = try url("http://hooks.example.com/")
        #expect(Admission().objection(to: place)?.contains("https") == true)
        #expect(Admission(allowsUnencrypted: true).objection(to: place) == nil)
        #expect(Admission().objection(to: try url("https://hooks.example.com/")) == nil)
    }

    @Test(arguments: [
        "https://127.0.0.1/", "https://10.0.0.1/", "https://169.254.169.254/latest/meta-data",
        "https://192.168.1.1/", "https://172.31.255.255/", "https://100.64.0.1/",
        "https://224.0.0.1/", "https://0.0.0.0/", "https://255.255.255.255/", "https://[::1]/",
        "https://[::]/", "https://[fe80::1]/", "https://[fd00::1]/", "https://[ff02::1]/",
        "https://[::ffff:127.0.0.1]/", "https://[::ffff:8.8.8.8]/", "https://[64:ff9b::a00:1]/",
        "https://[2002:7f00:1::]/", "https://[2001::1]/", "https://[100::1]/",
    ])
    func `an address that is not anybody's is refused`(_ text: String) throws {
        #expect(Admission().objection(to: try url(text)) != nil)
    }

    @Test(arguments: [
        "https://8.8.8.8/", "https://172.32.0.1/", "https://100.128.0.1/", "https://11.0.0.1/",
        "https://[2606:4700::1111]/", "https://[2a00:1450:4009::200e]/",
    ])
    func `an address that anybody can have is admitted`(_ text: String) throws {
        #expect(Admission().objection(to: try url(text)) == nil)
    }

    @Test func `a network that is allowed is admitted, and nothing beside it`() throws {
        let network = try #require(IPNetwork("10.1.0.0/16"))
        let admission = Admission(networks: [network])
        #expect(admission.objection(to: try url("https://10.1.255.255/")) == nil)
        for text in ["https://10.2.0.0/", "https://127.0.0.1/", "https://[::ffff:10.1.0.1]/"] {
            #expect(admission.objection(to: try url(text)) != nil, "\(text)")
        }
    }
}
