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

    @Test(arguments: [
        ("https://example.org/a", "https://example.org/a"), ("", ""),
        ("https://ci:hunter2@example.org/a", "https://…@example.org/a"),
        ("https://ci:hun@ter2@example.org", "https://…@example.org"),
        ("https://ci:hunter2?@example.org", "https://…"),
        ("ci:hunter2@example.org", "…@example.org"),
        ("https://example.org/a?signature=hunter2", "https://example.org/a?…"),
        ("https://ci@example.org/a?b=hunter2", "https://…@example.org/a?…"),
        ("https://example.org/a?by=ci@example.org&signature=hunter2", "https://…"),
        ("https://example.org/a#hunter2", "https://example.org/a#…"),
        ("https://ci:hunter2@\u{301}a", "https://…@\u{301}a"), ("a?\u{301}hunter2", "a?…"),
    ])
    func `an address is shown without what lets somebody in`(_ text: String, _ shown: String) {
        #expect(ServiceAddress.withoutSecrets(text) == shown)
    }
}
