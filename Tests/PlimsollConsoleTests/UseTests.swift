import HTTPTypes
import Hummingbird
import PlimsollHTTP
import Testing

@testable import PlimsollConsole

/// What prolongs a session: what a person does, and no page that is left open.
@Suite struct UseTests {
    private static let site = "https://console.example"

    private func isUse(
        _ path: String,
        _ method: HTTPRequest.Method = .get,
        _ headers: [String: String] = [:]
    ) -> Bool {
        var fields: HTTPFields = [:]
        for (name, value) in headers { fields[.knownName(name)] = value }
        let head = HTTPRequest(
            method: method,
            scheme: nil,
            authority: "console.example",
            path: path,
            headerFields: fields
        )
        return Request(head: head, body: RequestBody(buffer: .init())).isOfPerson
    }

    @Test(arguments: [
        ("/history?type=a%20b", "/history?type=a+b"), ("/history", "/history?"),
        ("/history", "/history?done=freeze"), ("/", "/"),
    ])
    func `a page that replaces itself is no use`(_ path: String, _ former: String) {
        let headers = ["Referer": Self.site + former, "Sec-Fetch-Dest": "document"]
        #expect(!isUse(path, .get, headers))
    }

    @Test func `what a script asks for is no use, but for what is sent`() {
        let headers = ["Sec-Fetch-Dest": "empty", "Referer": Self.site + "/"]
        #expect(!isUse("/history", .get, headers))
        #expect(isUse("/changes/1/approve", .post, headers))
    }

    @Test func `who goes somewhere uses the session, whatever their browser says`() {
        #expect(isUse("/history"))
        #expect(isUse("/history", .get, ["Referer": Self.site + "/"]))
        #expect(isUse("/history?type=b", .get, ["Referer": Self.site + "/history?type=a"]))
        #expect(isUse("/history", .get, ["Sec-Fetch-Dest": "document"]))
    }

    @Test func `who calls the same page again is known where the browser says it`() {
        let headers = ["Referer": Self.site + "/history", "Sec-Fetch-User": "?1"]
        #expect(isUse("/history", .get, headers))
    }
}
