import Hummingbird
import PlimsollDomain
import Testing

@testable import PlimsollConsole

/// What browsers send of forms.
@Suite struct FormFieldsTests {
    @Test func `names and values are read as browsers write them`() throws {
        let text = "a=1+2&b=%C3%A9%0D%0Ax&c=&d&a=%26%3D&_form=key"
        let form = try #require(FormFields(encoded: text))
        #expect(form["a"] == "1 2" && form.all("a") == ["1 2", "&="])
        #expect(form.whole("b") == "é\nx")
        #expect(form["c"] == nil && form.whole("c") == "" && form.has("d"))
        #expect(form["e"] == nil && !form.has("e"))
        #expect(form.typed.pairs.map(\.name) == ["a", "b", "c", "d", "a"])
    }

    @Test func `what is written is read again`() {
        let form = FormFields([("a b", "ä&=+%\n\u{202E}"), ("", ""), ("x", "<script>")])
        #expect(FormFields(encoded: form.encoded) == form)
        #expect(!form.encoded.contains("<") && !form.encoded.contains(" "))
    }

    @Test(arguments: ["a=%", "a=%FF", "a=%C3", "%zz=1"])
    func `what is no text is no form`(text: String) {
        #expect(FormFields(encoded: text) == nil)
    }

    // Method: every text of every platform, in as many languages as an app may require.
    @Test func `the form of an app in many languages is read`() throws {
        let names = Platform.allCases.flatMap { platform in
            platform.thresholds.flatMap { threshold in
                threshold.partsShown.flatMap { part in
                    (0..<AppSettings.languagesMaximum).map { language in
                        "\(platform).\(threshold).\(part.rawValue).l\(language)"
                    }
                }
            }
        }
        let form = FormFields(names.map { (name: $0, value: "") })
        #expect(form.encoded.utf8.count < Request.bodyBytesMaximum)
        #expect(FormFields(encoded: form.encoded) == form)
    }

    @Test func `nobody is kept busy with more fields than any form has`() {
        let most = String(repeating: "a&", count: FormFields.pairsMaximum)
        #expect(FormFields(encoded: most)?.pairs.count == FormFields.pairsMaximum)
        #expect(FormFields(encoded: most + "a") == nil)
    }

    @Test func `nothing is an empty form`() {
        #expect(FormFields(encoded: "") == FormFields())
        #expect(FormFields(encoded: "&&") == FormFields())
    }
}
