import PlimsollDocuments
import Testing

@Suite struct HTMLTests {
    @Test func `what is put into a hole is text, whatever it looks like`() {
        let hostile = "</p><script src='x'>\"&amp;\""
        let html: HTML = "<p title=\"\(hostile)\">\(hostile)</p>"
        let escaped = "&lt;/p&gt;&lt;script src=&#39;x&#39;&gt;&quot;&amp;amp;&quot;"
        #expect(html.text == "<p title=\"\(escaped)\">\(escaped)</p>")
    }

    @Test func `an accent behind a mark does not hide it`() {
        #expect(("\("<\u{338}b>")" as HTML).text == "&lt;\u{338}b&gt;")
    }

    @Test func `markup is put into markup as it stands`() {
        let inner: HTML = "<b>\("&")</b>"
        #expect(("<i>\(inner)</i>" as HTML).text == "<i><b>&amp;</b></i>")
    }

    @Test func `words between backticks are code`() {
        #expect(
            HTML(sentence: "Send `If-Match: \"<x>\"`, once.").text
                == "Send <code>If-Match: &quot;&lt;x&gt;&quot;</code>, once."
        )
    }
}
