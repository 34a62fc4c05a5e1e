import HTTPTypes
import Hummingbird
import PlimsollAPI
import PlimsollDomain
import PlimsollService
import Testing

@testable import PlimsollHTTP

@Suite struct QueryReaderTests {
    @Test func `everything wrong is said at once, by name`() throws {
        var query = reader("limit=0&limit=5&at=now&sort=up&%ff=1&dryRun")
        _ = query.limit(50, most: 500)
        _ = query.moment()
        let problem = refusal(query)
        #expect(problem?.code == .invalidParameter)
        let names = try #require(problem).errors.compactMap { error -> String? in
            if case .parameter(let name) = error.place { name } else { nil }
        }
        #expect(Set(names) == ["limit", "at", "sort", "%ff", "dryRun"])
    }

    @Test func `a time with an offset is read as it stands`() {
        var query = reader("at=2026-11-21T09:00:00+01:00")
        let moment = query.moment()
        #expect(refusal(query) == nil)
        #expect(moment == Instant(rfc3339: "2026-11-21T08:00:00Z").map(DocumentMoment.time))
    }

    @Test(arguments: ["NOT+in+the+store", "NOT%20in+the%20store"])
    func `a plus between words is a space`(_ text: String) {
        var query = reader("reason=\(text)")
        let words = query.allWords("reason", "words") { $0 }
        #expect(words == ["NOT in the store"])
        #expect(refusal(query) == nil)
    }

    @Test func `a plus that is meant is written as three letters`() {
        var query = reader("reason=a%2Bb")
        let words = query.allWords("reason", "words") { $0 }
        #expect(words == ["a+b"])
        #expect(refusal(query) == nil)
    }

    @Test func `two moments are one too many`() {
        var query = reader("at=2026-11-21T09:00:00Z&event=3")
        _ = query.moment()
        #expect(refusal(query)?.errors.map(\.code) == ["twoMoments"])
    }

    @Test(arguments: ["limit=1", "limit=500", "limit=%35"])
    func `a limit within bounds is taken`(_ text: String) {
        var query = reader(text)
        #expect((1...500).contains(query.limit(50, most: 500)))
        #expect(refusal(query) == nil)
    }

    @Test(arguments: ["limit=501", "limit=-1", "limit=1.0", "limit=", "limit=99999999999999999999"])
    func `a limit out of bounds is refused`(_ text: String) {
        var query = reader(text)
        _ = query.limit(50, most: 500)
        #expect(refusal(query) != nil)
    }

    @Test func `a query of very many parameters is refused in one sentence`() {
        let most = QueryReader.parametersMaximum
        for (count, codes) in [(most, nil), (most + 1, ["tooManyParameters"])] {
            let parts = (1...count).map { "limit=\($0)&" }
            var query = reader(parts.joined())
            _ = query.all("limit", "a whole number", Int.init)
            #expect(refusal(query)?.errors.map(\.code) == codes)
        }
    }

    @Test func `apps may be as many as somebody reads, and no more than anybody does`() {
        let most = QueryReader.appsMaximum + QueryReader.parametersMaximum
        for (count, codes) in [(most, nil), (most + 1, ["tooManyParameters"])] {
            let parts = (1...count).map { "app=app\($0)&" }
            var query = reader(parts.joined())
            let apps = query.all("app", AppSlug.grammar, AppSlug.init)
            let refusal = refusal(query)
            #expect(refusal?.errors.map(\.code) == codes)
            #expect(refusal?.detail.contains("has \(count) parameters") != false)
            #expect(apps.count == (codes == nil ? count : 0))
        }
    }

    private func reader(_ query: String) -> QueryReader {
        let head = HTTPRequest(
            method: .get,
            scheme: nil,
            authority: nil,
            path: "/v1/events?\(query)"
        )
        return QueryReader(Request(head: head, body: RequestBody(buffer: .init())))
    }

    private func refusal(_ query: consuming QueryReader) -> Problem? {
        do throws(Problem) {
            try query.finish()
            return nil
        } catch {
            return error
        }
    }
}
