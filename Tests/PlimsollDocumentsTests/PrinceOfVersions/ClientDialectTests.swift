import PlimsollDocuments
import PlimsollJSON
import Testing

/// What clients forgive in JSON, and what not.
@Suite struct ClientDialectTests {
    @Test(arguments: [
        Row(
            "\u{FEFF}"
                + #"{"ios": [{"required_version": "3"}], "android": [{"required_version": 300}]}"#,
            (PrinceOfVersionsClient.ios4 + [.android404], "required")
        ),
        Row(
            #"{"ios": [{"required_version": "3"},], "android": [{"required_version": 300},]}"#,
            (PrinceOfVersionsClient.ios4 + [.android404], "required")
        ),
        Row(
            #"{"ios": [{"required_version": "3",}], "android": [{"required_version": 300,}]}"#,
            (PrinceOfVersionsClient.ios4, "required"),
            ([.android404, .android300], "JSONException")
        ),
        // A comma at the end is one more element on Android, which is reached if nothing fits.
        Row(
            #"{"android": [{"requirements": {"a": 1}},]}"#,
            ([.android404], "JSONException")
        ),
        Row(
            #"{"ios": [{"required_version": "3", "required_version": "1"}]}"#,
            (PrinceOfVersionsClient.ios4, "required")
        ),
        Row(
            #"{"android": [{"required_version": 300, "required_version": 1}]}"#,
            ([.android404], "none")
        ),
        Row(#"{"jvm": [], "jvm": [{"required_version": "3"}]}"#, ([.jvm], "JSONException")),
        Row(
            #"{"ios": [{"required_version": "3"}], "android": [{"required_version": 300}]} x"#,
            (PrinceOfVersionsClient.ios4, "invalidJsonData"),
            ([.android404], "required")
        ),
        Row(
            #"{"i\u006Fs": [{"required_version": "\u0033"}], "ignored": [1.5e3, 0.1E-2, 10, -0, {"a": [{}]}]}"#,
            (PrinceOfVersionsClient.ios4, "required")
        ),
    ])
    func `each reader forgives its own`(row: Row) {
        #expect(row.mismatches == [])
    }

    @Test(arguments: [
        "", " ", "{", #"{"ios""#, #"{"ios":"#, #"{"ios": ["#, #"{"ios": [}"#, #"{ios: []}"#,
        #"{,}"#,
        #"{"ios": [,]}"#, #"{"a": 01}"#, #"{"a": +1}"#, #"{"a": .5}"#, #"{"a": 1.}"#, #"{"a": 1e}"#,
        #"{"a": 1e+}"#, #"{"a": -}"#,
        #"{"a": tru}"#,
        #"{"a": "\x"}"#, #"{"a": "\u12"}"#, #"{"a": "b}"#, #"{"a": 1 "b": 2}"#, #"{"a" 1}"#,
        "{\"a\": \"\n\"}",
    ])
    func `what is no JSON is an error of every client`(document: String) {
        for client in PrinceOfVersionsClient.allCases {
            let expected: Set = ["invalidJsonData", "JSONException", "ConfigurationException"]
            let verdict = Check.usual(client).verdict(client, document) ?? ""
            #expect(expected.contains(verdict), "\(client.rawValue): \(verdict)")
        }
    }

    @Test func `many members are read in no time`() {
        let members = (0..<20_000).map { "\"m\($0)\": \($0)" }.joined(separator: ",")
        let document = #"{"meta": {\#(members)}, "ios": [{"required_version": "3"}]}"#
        #expect(Check.apple.outcomes(.ios408, document).first?.meta?.count == 20_000)
    }

    @Test func `depth does not bring a client down`() {
        let deep = String(repeating: "[", count: 100_000)
        #expect(Check.apple.verdict(.ios408, #"{"a": \#(deep)"#) == "invalidJsonData")
    }

    @Test func `bytes that are no text are an error on Apple's platforms, and replaced on Android`()
    {
        var memory = PrinceOfVersionsMemory()
        let document =
            Array(#"{"ios": [{"required_version": "3"}], "meta": {"a": ""#.utf8) + [0xFF]
            + Array(#""}, "android": [{"required_version": 300}]}"#.utf8)
        let apple = PrinceOfVersionsClient.ios408.check(
            document,
            on: PrinceOfVersionsDevice(appVersion: "2", os: "15"),
            remembering: &memory
        )
        #expect(apple.word == "invalidJsonData")
        let android = PrinceOfVersionsClient.android404.check(
            document,
            on: PrinceOfVersionsDevice(appVersion: "200", os: "30"),
            remembering: &memory
        )
        #expect(android.word == "required")
        #expect(android.meta == ["a": "\u{FFFD}"])
    }
}
