import Foundation
import PlimsollDocuments
import PlimsollDomain
import PlimsollJSON
import Testing

@Suite struct AvailabilityReadingTests {
    /// The sample documents: pretty-printed by hand, five languages.
    private func sample(_ platform: Platform) throws -> [UInt8] {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return Array(
            try Data(
                contentsOf: root.appendingPathComponent(
                    "Examples/harbour/availability-\(platform.rawValue).json"
                )
            )
        )
    }

    private func issues(
        _ text: String,
        _ platform: Platform = .ios,
        _ profile: DocumentProfile = .complete
    ) -> [String] {
        do throws(JSONIssues) {
            _ = try AvailabilityDocument(
                parsing: Array(text.utf8),
                platform: platform,
                profile: profile
            )
            return []
        } catch {
            return error.issues.map { "\($0.pointer): \($0.detail)" }
        }
    }

    /// A whole document for iOS in which one piece can be put wrong.
    private func ios(
        value: String = #""1.2""#,
        texts: String = #"{"en":"x"}"#,
        more: String = ""
    ) -> String {
        let unset = #"{"value":"0","title":{},"description":{}}"#
        return #"{"minimumOSVersion":\#(unset),"recommendedOSVersion":\#(unset),"#
            + #""recommendedAppVersion":\#(unset),"minimumAppVersion":"#
            + #"{"value":\#(value),"title":{},"description":\#(texts)}\#(more)}"#
    }

    @Test(arguments: [Platform.ios, .android])
    func `a document that was written by hand is read`(platform: Platform) throws {
        let document = try AvailabilityDocument(parsing: sample(platform), platform: platform)
        #expect(document.stamp == nil)
        for name in platform.thresholds {
            #expect(document.document[name].value != nil)
            #expect(document.document[name].titles.count == 5)
            #expect(document.document[name].descriptions.count == 5)
        }
    }

    @Test func `a document of another platform is refused`() throws {
        #expect(throws: JSONIssues.self) {
            try AvailabilityDocument(parsing: sample(.android), platform: .ios)
        }
        #expect(throws: JSONIssues.self) {
            try AvailabilityDocument(parsing: sample(.ios), platform: .android)
        }
    }

    @Test func `a value of zero means that nothing is set`() throws {
        let document = try AvailabilityDocument(parsing: Array(ios().utf8), platform: .ios).document
        #expect(
            document.fields.map(\.path) == [
                "ios.minimumApp.description.en", "ios.minimumApp.value",
            ]
        )
    }

    @Test func `members that nobody knows are passed over`() {
        #expect(issues(ios(more: #","comment":[1,{"a":null}]"#)).isEmpty)
    }

    @Test func `everything that is missing is said at once`() {
        let value = "\(AppleVersion.grammar) is needed."
        #expect(
            issues(#"{"minimumOSVersion":{},"recommendedOSVersion":{},"minimumAppVersion":null}"#)
                == [
                    "/minimumOSVersion/value: This member is missing; \(value)",
                    "/minimumOSVersion/description: This member is missing; an object is needed.",
                    "/recommendedOSVersion/value: This member is missing; \(value)",
                    "/recommendedOSVersion/title: This member is missing; an object is needed.",
                    "/recommendedOSVersion/description: This member is missing; an object is"
                        + " needed.",
                    "/minimumAppVersion: Found null; an object is needed.",
                    "/recommendedAppVersion: This member is missing; an object is needed.",
                ]
        )
        #expect(issues("{}", .ios, .minimal).isEmpty)
    }

    @Test func `the form of the first apps lacks the titles of minima, and is read`() {
        let text = ios().replacing(
            #""title":{},"description":{"en""#,
            with: #""description":{"en""#
        )
        #expect(text != ios())
        #expect(issues(text).isEmpty)
    }

    @Test(arguments: [
        #""""#, #"" 13""#, #""v13.5""#, #""1.""#, #""1..1""#, #""1.2.3.4""#, #""3.0.0-beta""#,
        #""9223372036854775808""#, #""+13""#, #""-1""#, "13", "null", "true", "{}", "[1]",
    ])
    func `a value that phones would refuse or misread is refused`(value: String) {
        let found = issues(ios(value: value))
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("/minimumAppVersion/value: Found ") == true)
    }

    @Test(arguments: ["-1", "2147483648", #""23""#, "null", "true"])
    func `a value that is no version code is refused`(value: String) {
        let unset = #"{"value":0,"title":{},"description":{}}"#
        let text =
            #"{"minimumSDKVersion":\#(unset),"recommendedAppVersion":\#(unset),"#
            + #""minimumAppVersion":{"value":\#(value),"description":{}}}"#
        #expect(issues(text, .android).map { $0.prefix(24) } == ["/minimumAppVersion/value"])
    }

    @Test(arguments: [
        (#"{"en":null}"#, "en"), (#"{"en":1}"#, "en"), (#"{"en":""}"#, "en"),
        (#"{"en":" \n "}"#, "en"), (#"{"en":"\u0007"}"#, "en"), (#"{"en":"\u202E"}"#, "en"),
        (#"{"en_GB":"x"}"#, "en_GB"), (#"{"":"x"}"#, ""), (#"{"e":"x"}"#, "e"),
        (#"{"en-GB":"x","en-gb":"y"}"#, "en-gb"), (#"{"EN":"x","en":"y"}"#, "en"),
    ])
    func `a text that phones would refuse or misread is refused`(texts: String, key: String) {
        let found = issues(ios(texts: texts))
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("/minimumAppVersion/description/\(key): ") == true)
    }

    @Test func `an empty text is dropped where that is asked for, or nobody is to read it`() throws
    {
        let empty = Array(ios(texts: #"{"en-GB":"","en":"Update."}"#).utf8)
        let read = try AvailabilityDocument(parsing: empty, platform: .ios, emptyTexts: .dropped)
        #expect(read.document[.minimumApp].descriptions.map(\.key.text) == ["en"])
        let launch =
            #"{"minimumSDKVersion":{"value":0,"description":{"en-GB":""}},"#
            + #""minimumAppVersion":{"value":8,"description":{"en-GB":""}}}"#
        #expect(issues(launch, .android, .minimal).count == 1)
        let dropped = try AvailabilityDocument(
            parsing: Array(launch.utf8),
            platform: .android,
            profile: .minimal,
            emptyTexts: .dropped
        )
        #expect(dropped.document[.minimumApp].descriptions.isEmpty)
    }

    @Test func `a text that is too long is refused`() {
        let long = String(repeating: "x", count: 4001)
        #expect(issues(ios(texts: #"{"en":"\#(long)"}"#)).count == 1)
    }

    @Test(arguments: ["[]", "{}", #""x""#, "null"])
    func `texts are an object`(texts: String) {
        #expect(issues(ios(texts: texts)).isEmpty == (texts == "{}"))
    }

    @Test(arguments: [
        "", "{", "[]", "null", "{},", "{\"a\":1,\"a\":1}", "{\"a\":1.5}", "\u{FEFF}{}",
        "{\"minimumOSVersion\":{},}",
    ])
    func `what is no strict JSON object is refused`(text: String) {
        #expect(issues(text, .ios, .minimal).count == 1)
    }

    @Test func `a stamp is read whole or refused`() throws {
        let stamp =
            #","plimsoll":{"app":"harbour","platform":"ios","sequence":57,"position":58,"#
            + #""issuedAt":"2026-09-21T14:13:20.123Z","expiresAt":"2026-09-28T14:13:20.123Z"}"#
        let read = try AvailabilityDocument(parsing: Array(ios(more: stamp).utf8), platform: .ios)
        #expect(read.stamp?.issue == (try Snapshots().issue))
        let cases = [
            ("harbour", "Harbour", "app"), (#""ios""#, #""android""#, "platform"),
            (#""ios""#, #""beos""#, "platform"), ("57", "0", "sequence"), ("58", "-1", "position"),
            ("2026-09-21T", "2026-13-21T", "issuedAt"), ("expiresAt", "expires", "expiresAt"),
        ]
        for (good, bad, key) in cases {
            let found = issues(ios(more: stamp.replacing(good, with: bad)))
            #expect(found.count == 1)
            #expect(found.first?.hasPrefix("/plimsoll/\(key): ") == true)
        }
    }
}
