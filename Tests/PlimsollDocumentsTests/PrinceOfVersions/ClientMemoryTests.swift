import PlimsollDocuments
import Testing

/// What clients remember between two looks.
@Suite struct ClientMemoryTests {
    private static let clients: [PrinceOfVersionsClient] = [
        .ios400, .ios408, .macos408, .android404, .kotlinIOS, .kotlinAndroid, .jvm,
    ]

    /// One entry with these versions for every platform.
    private func document(last: Int?, required: Int? = nil, _ frequency: String = "ONCE") -> String
    {
        func entry(_ version: (Int) -> String) -> String {
            let versions = [
                required.map { #""required_version": "# + version($0) },
                last.map { #""last_version_available": "# + version($0) },
                #""notify_last_version_frequency": "\#(frequency)""#,
            ]
            return "[{\(versions.compactMap { $0 }.joined(separator: ", "))}]"
        }
        let dotted = entry { "\"\($0).0.0\"" }
        return """
            {"ios": \(dotted), "macos": \(dotted), "jvm": \(dotted),
            "android": \(entry { String($0 * 100) })}
            """
    }

    private func verdicts(_ client: PrinceOfVersionsClient, _ documents: [String]) -> [String] {
        var memory = PrinceOfVersionsMemory()
        let usual = Check.usual(client)
        let device = PrinceOfVersionsDevice(appVersion: usual.app, build: usual.build, os: usual.os)
        return documents.map {
            client.check(Array($0.utf8), on: device, remembering: &memory).word
        }
    }

    @Test(arguments: clients)
    func `ONCE is told of once, ALWAYS always`(client: PrinceOfVersionsClient) {
        let once = document(last: 3)
        let always = document(last: 3, "ALWAYS")
        #expect(verdicts(client, [once, once, once]) == ["new", "none", "none"])
        #expect(verdicts(client, [always, always]) == ["new", "new"])
        #expect(verdicts(client, [always, once]) == ["new", "none"])
        #expect(verdicts(client, [once, document(last: 4)]) == ["new", "new"])
    }

    @Test(arguments: clients)
    func `a required update is told of every time`(client: PrinceOfVersionsClient) {
        let required = document(last: 4, required: 3)
        #expect(verdicts(client, [required, required]) == ["required", "required"])
    }

    @Test(arguments: clients)
    func `what was told of before the last is forgotten, except on Apple's platforms`(
        client: PrinceOfVersionsClient
    ) {
        let back = verdicts(client, [3, 4, 3].map { document(last: $0) })
        #expect(back == ["new", "new", client.isNativeApple ? "none" : "new"])
    }

    @Test(arguments: clients)
    func `what was required is not told of as new, except on Apple's platforms`(
        client: PrinceOfVersionsClient
    ) {
        let eased = verdicts(client, [document(last: nil, required: 3), document(last: 3)])
        #expect(eased == ["required", client.isNativeApple ? "new" : "none"])
    }

    @Test func `the update leads where each platform says`() {
        func updateVersion(
            _ client: PrinceOfVersionsClient,
            _ document: String,
            app: String? = nil
        ) -> String? {
            var check = Check.usual(client)
            check.app = app ?? check.app
            return check.outcomes(client, document).first?.answer?.updateVersion
        }
        let both = document(last: 3, required: 4)
        #expect(updateVersion(.ios408, both) == "4.0.0-0")
        #expect(updateVersion(.android404, both) == "400")
        #expect(updateVersion(.kotlinIOS, both) == "4.0.0")
        let older = document(last: 3, required: 1)
        #expect(updateVersion(.ios408, older, app: "4.0") == "3.0.0-0")
        #expect(updateVersion(.android404, older, app: "400") == "400")
        #expect(updateVersion(.ios408, document(last: 3), app: "4.0") == "4.0.0-0")
    }
}

extension PrinceOfVersionsClient {
    fileprivate var isNativeApple: Bool {
        [.ios400, .ios408, .macos408].contains(self)
    }
}
