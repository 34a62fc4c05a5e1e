import PlimsollDocuments
import PlimsollDomain
import PlimsollJSON
import Testing

/// Every rule for documents, by what breaks it.
@Suite struct PrinceReadingTests {
    private static let once = #""notify_last_version_frequency": "ONCE""#
    private static let open = #"{"last_version_available": "0.0.0", \#(once)}"#

    /// Where the issues lie.
    private func places(_ document: String) -> [String] {
        do throws(JSONIssues) {
            _ = try PrinceOfVersionsDocument(parsing: Array(document.utf8))
            return []
        } catch {
            return error.issues.map(\.pointer.text)
        }
    }

    @Test(arguments: [
        #"{"ios": [\#(open)]}"#, #"{"ios": [\#(open)], "macos": [\#(open)], "jvm": [\#(open)]}"#,
        #"{"android": [{"last_version_available": 0, \#(once)}], "meta": {"a": "b"}}"#,
        #"{"android": [{"required_version": 2147483647, \#(once)}]}"#,
        #"{"ios": [{"required_version": "1.2.3-50", \#(once)}]}"#,
        #"{"ios": [{"last_version_available": "1.0.0", "requirements": {"required_os_version": "15.0.0", "tester": "yes"}, \#(once)}, \#(open)]}"#,
        #"{"android": [{"last_version_available": 1, "requirements": {"required_os_version": 30}, \#(once)}, {"last_version_available": 0, \#(once)}]}"#,
        #"{"ios": {"latest_version": {"version": "3.0.0", "notification_type": "ONCE"}}, "ios2": [\#(open)]}"#,
        #"{"ios": {"minimum_version": "2.0.0", "minimum_version_min_sdk": "14.0.0", "latest_version": {"version": "3.0.0", "notification_type": "ALWAYS", "min_sdk": "15.0.0"}}, "ios2": [\#(open)]}"#,
        #"{"android": {"minimum_version": "2.0.0", "minimum_version_min_sdk": 21}, "android2": [{"last_version_available": 0, \#(once)}]}"#,
    ])
    func `what follows the rules is read, and written again alike`(document: String) throws {
        let read = try PrinceOfVersionsDocument(parsing: Array(document.utf8))
        let value = try JSONValue(parsing: Array(document.utf8))
        #expect(read.bytes == value.canonicalBytes())
    }

    @Test(arguments: [
        // Strict JSON.
        ("\u{FEFF}" + #"{"ios": [\#(open)]}"#, ""), (#"{"ios": [\#(open)],}"#, ""),
        (#"{"ios": [\#(open),]}"#, "/ios/1"), (#"{"ios": [\#(open)], "ios": []}"#, "/ios"),
        (
            #"{"ios": [{"last_version_available": "0.0.0", "last_version_available": "1.0.0", \#(once)}]}"#,
            "/ios/0/last_version_available"
        ),
        (#"{"ios": [\#(open)]} "# + "x", ""), ("[]", ""), ("{}", ""), ("", ""),
        // Nulls.
        (#"{"ios": null}"#, "/ios"), (#"{"ios": [\#(open)], "ios2": null}"#, "/ios2"),
        (#"{"ios": [\#(open)], "meta": null}"#, "/meta"),
        (
            #"{"ios": [{"required_version": null, "last_version_available": "1.0.0", \#(once)}]}"#,
            "/ios/0/required_version"
        ),
        (#"{"ios": [\#(open)], "meta": {"a": null}}"#, "/meta/a"),
        // Arrays, and one key for them.
        (#"{"ios": \#(open)}"#, "/ios"), (#"{"ios": []}"#, "/ios"), (#"{"ios": "3"}"#, "/ios"),
        (#"{"android": {"last_version_available": 1, \#(once)}}"#, "/android"),
        (#"{"ios": [\#(open)], "ios2": [\#(open)]}"#, "/ios"), (#"{"ios": ["3"]}"#, "/ios/0"),
        // Frequency.
        (
            #"{"ios": [{"last_version_available": "1.0.0"}]}"#,
            "/ios/0/notify_last_version_frequency"
        ),
        (
            #"{"ios": [{"last_version_available": "1.0.0", "notify_last_version_frequency": "once"}]}"#,
            "/ios/0/notify_last_version_frequency"
        ),
        (
            #"{"ios": [{"last_version_available": "1.0.0", "notify_last_version_frequency": 1}]}"#,
            "/ios/0/notify_last_version_frequency"
        ),
        // Versions.
        (
            #"{"ios": [{"last_version_available": "1.0", \#(once)}]}"#,
            "/ios/0/last_version_available"
        ),
        (#"{"ios": [{"last_version_available": 1, \#(once)}]}"#, "/ios/0/last_version_available"),
        (#"{"ios": [{"required_version": "1.0.0-beta", \#(once)}]}"#, "/ios/0/required_version"),
        (#"{"jvm": [{"required_version": "1.0.0-5", \#(once)}]}"#, "/jvm/0/required_version"),
        (#"{"android": [{"required_version": "1", \#(once)}]}"#, "/android/0/required_version"),
        (#"{"android": [{"required_version": 1.0, \#(once)}]}"#, "/android/0/required_version"),
        (
            #"{"android": [{"required_version": 2147483648, \#(once)}]}"#,
            "/android/0/required_version"
        ),
        (#"{"android": [{"required_version": -1, \#(once)}]}"#, "/android/0/required_version"),
        (#"{"android": [{"required_version": 0, \#(once)}]}"#, "/android/0"),
        (#"{"ios": [{\#(once)}]}"#, "/ios/0"),
        // The system.
        (
            #"{"ios": [{"last_version_available": "1.0.0", "requirements": {"tester": "yes"}, \#(once)}, \#(open)]}"#,
            "/ios/0/requirements/required_os_version"
        ),
        (
            #"{"ios": [{"last_version_available": "1.0.0", "requirements": {"required_os_version": 15}, \#(once)}, \#(open)]}"#,
            "/ios/0/requirements/required_os_version"
        ),
        (
            #"{"ios": [{"last_version_available": "1.0.0", "requirements": {"required_os_version": "15.0"}, \#(once)}, \#(open)]}"#,
            "/ios/0/requirements/required_os_version"
        ),
        (
            #"{"ios": [{"last_version_available": "1.0.0", "requirements": {"required_os_version": "15.0.0-1"}, \#(once)}, \#(open)]}"#,
            "/ios/0/requirements/required_os_version"
        ),
        (
            #"{"android": [{"last_version_available": 1, "requirements": {"required_os_version": "30"}, \#(once)}, {"last_version_available": 0, \#(once)}]}"#,
            "/android/0/requirements/required_os_version"
        ),
        (
            #"{"jvm": [{"last_version_available": "1.0.0", "requirements": {"required_os_version": 17}, \#(once)}, \#(open)]}"#,
            "/jvm/0/requirements/required_os_version"
        ),
        // Requirements.
        (
            #"{"ios": [{"last_version_available": "1.0.0", "requirements": {"required_os_version": "15.0.0", "min-ram": "4"}, \#(once)}, \#(open)]}"#,
            "/ios/0/requirements/min-ram"
        ),
        (
            #"{"ios": [{"last_version_available": "1.0.0", "requirements": {"required_os_version": "15.0.0", "ram": {"a": 4}}, \#(once)}, \#(open)]}"#,
            "/ios/0"
        ),
        (
            #"{"ios": [{"last_version_available": "1.0.0", "requirements": [], \#(once)}]}"#,
            "/ios/0/requirements"
        ),
        (
            #"{"android": [{"last_version_available": 1, "requirements": {}, \#(once)}]}"#,
            "/android/0/requirements/required_os_version"
        ),
        // Order.
        (
            #"{"ios": [\#(open), {"last_version_available": "1.0.0", "requirements": {"required_os_version": "15.0.0"}, \#(once)}]}"#,
            "/ios/1"
        ),
        (#"{"ios": [\#(open), \#(open)]}"#, "/ios/1"),
        (
            #"{"ios": [{"last_version_available": "1.0.0", "requirements": {"required_os_version": "15.0.0"}, \#(once)}]}"#,
            "/ios"
        ),
        // Metadata.
        (
            #"{"ios": [{"last_version_available": "1.0.0", "meta": {"a": {}}, \#(once)}]}"#,
            "/ios/0"
        ),
        (
            #"{"ios": [{"last_version_available": "1.0.0", "meta": {"a": "\u0007"}, \#(once)}]}"#,
            "/ios/0/meta/a"
        ),
        (#"{"ios": [{"last_version_available": "1.0.0", "meta": [], \#(once)}]}"#, "/ios/0/meta"),
        (#"{"ios": [\#(open)], "meta": {"a": []}}"#, "/meta/a"),
        (#"{"ios": [\#(open)], "meta": {"a b": "c"}}"#, "/meta/a b"),
        (#"{"ios": [\#(open)], "meta": {"a": "\u202e"}}"#, "/meta/a"),
        // Members nobody knows.
        (
            #"{"ios": [{"last_version_available": "1.0.0", "forceUpdate": true, \#(once)}]}"#,
            "/ios/0/forceUpdate"
        ),
        (#"{"ios": [\#(open)], "windows": []}"#, "/windows"),
        (#"{"ios": [\#(open)], "plimsoll": {}}"#, "/plimsoll/app"),
    ])
    func `what breaks a rule is refused where it stands`(document: String, place: String) {
        #expect(places(document).contains(place), "\(places(document))")
    }

    @Test(arguments: [
        (#"{"minimum_version": "2.0.0"}"#, "/ios/latest_version"),
        (#"{"latest_version": {"notification_type": "ONCE"}}"#, "/ios/latest_version/version"),
        (#"{"latest_version": {"version": "3.0.0"}}"#, "/ios/latest_version/notification_type"),
        (
            #"{"latest_version": {"version": "3.0.0", "notification_type": "once"}}"#,
            "/ios/latest_version/notification_type"
        ),
        (
            #"{"latest_version": {"version": "3.x", "notification_type": "ONCE"}}"#,
            "/ios/latest_version/version"
        ),
        (
            #"{"latest_version": {"version": 3, "notification_type": "ONCE"}}"#,
            "/ios/latest_version/version"
        ),
        (
            #"{"latest_version": {"version": "3.0.0-b", "notification_type": "ONCE"}}"#,
            "/ios/latest_version/version"
        ),
        (
            #"{"latest_version": {"version": "3.0.0", "notification_type": "ONCE", "min_sdk": 15}}"#,
            "/ios/latest_version/min_sdk"
        ),
        (
            #"{"minimum_version_min_sdk": "15.0.0", "latest_version": {"version": "3.0.0", "notification_type": "ONCE"}}"#,
            "/ios/minimum_version_min_sdk"
        ),
        (#""3.0.0""#, "/ios"),
    ])
    func `an object for clients before 4·0 is one that they can read`(
        object: String,
        place: String
    ) {
        let found = places(#"{"ios": \#(object), "ios2": [\#(Self.open)]}"#)
        #expect(found.contains(place), "\(found)")
    }

    @Test(arguments: [
        (#"{}"#, "/android/minimum_version"),
        (#"{"minimum_version": "1.2"}"#, "/android/minimum_version"),
        (#"{"minimum_version": 3}"#, "/android/minimum_version"),
        (
            #"{"minimum_version": "1.2.3", "minimum_version_min_sdk": 0}"#,
            "/android/minimum_version_min_sdk"
        ),
        (
            #"{"minimum_version": "1.2.3", "minimum_version_min_sdk": "21"}"#,
            "/android/minimum_version_min_sdk"
        ),
        (
            #"{"latest_version": {"version": "1.2", "notification_type": "ONCE"}}"#,
            "/android/latest_version/version"
        ),
    ])
    func `so is one for Android's`(object: String, place: String) {
        let found = places(
            #"{"android": \#(object), "android2": [{"last_version_available": 0, \#(Self.once)}]}"#
        )
        #expect(found.contains(place), "\(found)")
    }
}
