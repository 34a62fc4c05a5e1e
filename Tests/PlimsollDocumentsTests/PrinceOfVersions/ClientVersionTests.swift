import PlimsollDocuments
import Testing

/// How versions are read: the table of the reference, one line each.
@Suite struct ClientVersionTests {
    @Test(arguments: [
        ("4", "4.0.0-0"), ("11.0", "11.0.0-0"), ("10.0-0", "10.0.0-0"), ("10-0", "10.0.0-0"),
        ("1.2.3-1", "1.2.3-1"), ("1.2.3.4", "1.2.3-0"), ("1.2.3-beta", "1.2.3-0"),
        ("1.0-1.2", "1.0.0-0"), ("2.x.9", "2.0.9-0"), ("1..5", "1.0.5-0"), ("02.010.1", "2.10.1-0"),
        ("+2.0", "2.0.0-0"), ("1.99999999999999999999.1", "1.0.1-0"),
        ("1.9999999999.0", "1.9999999999.0-0"),
    ])
    func `Apple's native library takes what it can`(written: String, understood: String) {
        let document = #"{"ios": [{"required_version": "\#(written)"}]}"#
        let outcome = Check(app: "0").outcomes(.ios408, document).first
        #expect(outcome?.word == "required")
        #expect(outcome?.answer?.updateVersion == understood)
    }

    @Test(arguments: [
        ("1.2.3-1", "1.2.3", "0", "required"), ("1.2.3", "1.2.3", "0", "none"),
        ("1.2.3", "1.2.3", "50", "none"), ("1.2.3-50", "1.2.3", "49", "required"),
        ("1.2.3-50", "1.2.3", "50", "none"), ("1.2.3-1", "1.2.3", "1.0.3", "required"),
        ("1.2.3-1", "1.2.3-x", "5", "required"), ("1.2.4", "1.2.3", "999", "required"),
    ])
    func `the build counts after the version`(
        required: String,
        app: String,
        build: String,
        verdict: String
    ) {
        let document = #"{"ios": [{"required_version": "\#(required)"}]}"#
        #expect(Check(app: app, build: build).verdict(.ios408, document) == verdict)
    }

    @Test(arguments: [
        ("4", "required"), ("3.0", "required"), (" 3.0 ", "required"), ("2.0.0-1", "required"),
        ("2.0.0", "none"), ("02.000.0", "none"), ("1.2.3.4", "IllegalArgumentException"),
        ("1.2.3-beta", "IllegalArgumentException"), ("2.x.9", "IllegalArgumentException"),
        ("1..5", "IllegalArgumentException"), ("+2.0", "IllegalArgumentException"),
        ("v2.0", "IllegalArgumentException"), ("", "IllegalArgumentException"),
        ("3.2147483648", "NumberFormatException"),
    ])
    func `the Kotlin library for iOS is strict`(written: String, verdict: String) {
        let document = #"{"ios": [{"required_version": "\#(written)"}]}"#
        #expect(Check.apple.verdict(.kotlinIOS, document) == verdict)
    }

    @Test(arguments: [
        ("4", "required"), ("2.0.0.0.1", "required"), ("2.0.0.0", "none"), ("02.00", "none"),
        (" 3 ", "required"), ("2.0.0-1", "IllegalArgumentException"),
        ("2..1", "IllegalArgumentException"), ("abc", "IllegalArgumentException"),
        ("9223372036854775808", "IllegalArgumentException"), ("2147483648", "required"),
    ])
    func `the JVM takes dotted numbers of any length`(written: String, verdict: String) {
        let document = #"{"jvm": [{"required_version": "\#(written)"}]}"#
        #expect(Check.java.verdict(.jvm, document) == verdict)
    }

    @Test(arguments: [
        ("1.2.3", "1.2.4", true), ("1.2.3-1", "1.2.3", true), ("1.2.3", "1.2.3-1", false),
        ("1.0.0-alpha", "1.0.0-alpha.1", true), ("1.0.0-alpha.1", "1.0.0-alpha.beta", true),
        ("1.0.0-beta.2", "1.0.0-beta.11", true), ("1.0.0-rc.1", "1.0.0", true),
        ("1.2.3+1", "1.2.3+2", false), ("2.0.0", "10.0.0", true),
    ])
    func `Android before 4·0 orders versions semantically`(
        installed: String,
        offered: String,
        isOlder: Bool
    ) {
        let document = #"{"android": {"minimum_version": "\#(offered)"}}"#
        let check = Check(app: installed, os: "30")
        #expect(check.verdict(.android300, document) == (isOlder ? "required" : "none"))
    }
}
