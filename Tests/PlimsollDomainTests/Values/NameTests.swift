import PlimsollDomain
import Testing

@Suite struct NameTests {
    @Test(arguments: ["covid19", "a", "my-app", String(repeating: "a", count: 63)])
    func `a slug is lower-case letters, digits and inner hyphens`(_ text: String) {
        #expect(AppSlug(text)?.text == text)
    }

    @Test(arguments: [
        "", "keys", "log", "Covid", "1app", "-app", "app-", "my app", "app/../x", "äpp",
        String(repeating: "a", count: 64), "a.b", "a_b",
    ])
    func `anything else is no slug`(_ text: String) {
        #expect(AppSlug(text) == nil)
    }

    @Test(arguments: [
        ("en", "en"), ("EN-gb", "en-GB"), ("zh-hant-TW", "zh-Hant-TW"), ("es-419", "es-419"),
        ("de-1996", "de-1996"), ("sl-rozaj-biske", "sl-rozaj-biske"),
        ("en-a-bbb-x-a-ccc", "en-a-bbb-x-a-ccc"), ("zh-yue-HK", "zh-yue-HK"), ("cy-GB", "cy-GB"),
    ])
    func `a well-formed tag is kept in its recommended case`(_ text: String, _ kept: String) {
        #expect(LanguageTag(text)?.text == kept)
    }

    @Test(arguments: [
        "", "e", "en_GB", "en-", "-en", "en--GB", "english1", "x-private", "123", "en-x",
        "en-a", "de-abcde-abcde", "en-a-bbb-a-ccc", "en GB", "en-GBRX-", "én",
        "abcdefghi", String(repeating: "a-", count: 40),
    ])
    func `anything else is no tag`(_ text: String) {
        #expect(LanguageTag(text) == nil)
    }

    @Test(arguments: ["access", "app/harbour", "change/17", "export/harbour", "keys", "service"])
    func `a stream name is read back as it is written`(_ text: String) {
        #expect(StreamName(text)?.text == text)
    }

    @Test(arguments: ["", "app", "app/", "app/Keys", "change/0", "change/01", "change/x", "keys/1"])
    func `anything else is no stream name`(_ text: String) {
        #expect(StreamName(text) == nil)
    }

    @Test(arguments: [
        "ios.minimumApp.value", "android.recommendedApp.description.de",
        "macos.recommendedOS.title.zh-Hant-TW",
    ])
    func `a field is read back as it is written`(_ path: String) {
        #expect(Field(path: path)?.path == path)
    }

    @Test(arguments: [
        "", "ios", "ios.minimumApp", "ios.minimumApp.title", "ios.x.value", "a.b.c.d.e",
    ])
    func `anything else is no field`(_ path: String) {
        #expect(Field(path: path) == nil)
    }
}
