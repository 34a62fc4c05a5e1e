import PlimsollDomain
import Testing

@Suite struct WebhookURLTests {
    @Test(arguments: [
        ("https://hooks.example.com", "hooks.example.com", 443),
        ("https://hooks.example.com/a/b%20c?team=1&x=~", "hooks.example.com", 443),
        ("http://localhost:8080/", "localhost", 8080), ("https://8.8.8.8/", "8.8.8.8", 443),
        ("https://[2606:4700::1]:444/x", "2606:4700::1", 444), ("http://a.b", "a.b", 80),
        ("https://xn--mnchen-3ya.de/", "xn--mnchen-3ya.de", 443),
    ])
    func `an address says which host and port`(_ text: String, _ host: String, _ port: Int) throws {
        let url = try #require(WebhookURL(text))
        #expect(url.text == text)
        #expect(url.host == host)
        #expect(url.port == port)
        #expect(url.isEncrypted == text.hasPrefix("https://"))
        #expect((url.address != nil) == (host.contains(":") || host == "8.8.8.8"))
    }

    @Test(arguments: [
        "", "hooks.example.com", "ftp://a.example/", "HTTPS://a.example/", "https:///x",
        "https://", "https://user@a.example/", "https://user:secret@a.example/",
        "https://a.example/#part", "https://a.example?x=1", "https://a.example\\@evil.example/",
        "https://a.example:0/", "https://a.example:65536/", "https://a.example:080/",
        "https://a.example:/", "https://A.example/", "https://a_b.example/", "https://-a.example/",
        "https://a..example/", "https://a.example./", "https://a.example/ü", "https://ü.example/",
        "https://a.example/a b", "https://a.example/%2", "https://a.example/%zz",
        "https://a.example/[1]", "https://127.1/", "https://0x7f.1/", "https://0177.0.0.1/",
        "https://2130706433/", "https://127.0.0.1.2/", "https://1.2.3.4x/", "https://[::1/",
        "https://[::1]x/", "https://[127.0.0.1]/", "https://[fe80::1%25eth0]/", "https://::1/",
        "https://a.example/\u{0}", "https://a.example/\r\nHost: b", "https://%61.example/",
    ])
    func `what could be read in another way is refused`(_ text: String) {
        #expect(WebhookURL(text) == nil, "\(text)")
    }

    @Test func `an address has a length that it may have`() {
        let start = "https://a.example/"
        let rest = WebhookURL.bytesMaximum - start.utf8.count
        #expect(WebhookURL(start + String(repeating: "a", count: rest)) != nil)
        #expect(WebhookURL(start + String(repeating: "a", count: rest + 1)) == nil)
    }
}
