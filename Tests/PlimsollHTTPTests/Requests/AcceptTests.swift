import HTTPTypes
import PlimsollAPI
import Testing

@testable import PlimsollHTTP

@Suite struct AcceptTests {
    @Test(arguments: [
        (nil, ContentType.json), ("", .json), ("*/*", .json), ("application/*", .json),
        ("application/json", .json), ("APPLICATION/JSON", .json),
        ("application/x-ndjson", .ndjson),
        ("application/json;q=0.5, application/x-ndjson", .ndjson),
        ("application/x-ndjson;q=0.2, */*;q=0.1", .ndjson), ("text/html, */*;q=0.8", .json),
        ("application/json;q=0, */*", .ndjson), ("text/html,application/json ; q=0.9", .json),
    ])
    func `the most welcome form is chosen`(_ header: String?, _ expected: ContentType) {
        #expect(accept(header).best(of: [.json, .ndjson]) == expected)
    }

    @Test(arguments: [
        "text/html", "application/json;q=0", "*/*;q=0", "nonsense", "image/*, text/csv",
    ])
    func `where nothing is welcome nothing is chosen`(_ header: String) {
        #expect(accept(header).best(of: [.json]) == nil)
    }

    private func accept(_ header: String?) -> Accept {
        var headers: HTTPFields = [:]
        headers[.accept] = header
        return Accept(headers)
    }
}
