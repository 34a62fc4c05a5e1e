import PlimsollAPI
import Testing

struct ServiceAddressTests {
    @Test(arguments: [
        "http://127.0.0.1:8080", "https://plimsoll.example.org", "http://[::1]:8080",
        "https://example.org/plimsoll",
    ])
    func `a web address is taken as it is`(_ text: String) {
        #expect(ServiceAddress(text)?.text == text)
        #expect(ServiceAddress(text + "/")?.text == text)
    }

    @Test(arguments: [
        "", "127.0.0.1:8080", "ftp://example.org", "http://", "http:///v1", "/v1",
        "http://user:secret@example.org", "http://example.org?x=1", "http://example.org#x",
        "http://exa mple.org",
    ])
    func `anything else is refused`(_ text: String) {
        #expect(ServiceAddress(text) == nil)
    }
}
