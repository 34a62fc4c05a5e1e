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
        request(path, method, headers).isOfPerson
    }

    private func request(
        _ path: String,
        _ method: HTTPRequest.Method,
        _ headers: [String: String]
    ) -> Request {
        var fields: HTTPFields = [:]
        for (name, value) in headers { fields[.knownName(name)] = value }
        let head = HTTPRequest(
            method: method,
            scheme: nil,
            authority: "console.example",
            path: path,
            headerFields: fields
        )
        return Request(head: head, body: RequestBody(buffer: .init()))
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

    // Goal: whoever fills in a form is led to what it answers, and nobody who just comes to a page, or
    // whose page is shown anew.
    @Test(arguments: [
        ("/history", "", true), ("/history?type=b", "", true), ("/history?type=a", "?1", true),
        ("/history?type=a", "", false), ("/", "", false), ("/history/export.csv", "", false),
    ])
    func `who asks on the page itself is told from who comes to it`(
        _ former: String,
        _ user: String,
        _ isAsked: Bool
    ) {
        let path = "/history?type=a"
        var headers = ["Referer": Self.site + former, "Sec-Fetch-User": user]
        #expect(request(path, .get, headers).isAskedOnItsPage == isAsked)
        #expect(!request(path, .post, headers).isAskedOnItsPage)
        headers["Referer"] = nil
        #expect(!request(path, .get, headers).isAskedOnItsPage)
        headers["Referer"] = Self.site + path
        #expect(!request("/history", .get, headers).isAskedOnItsPage)
    }

    @Test func `who calls the same page again is known where the browser says it`() {
        let headers = ["Referer": Self.site + "/history", "Sec-Fetch-User": "?1"]
        #expect(isUse("/history", .get, headers))
    }
}
