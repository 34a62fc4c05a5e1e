import PlimsollPostgres
import PlimsollTestSupport
import Testing

@Suite(.scratchDatabase, .timeLimit(.minutes(5)))
struct SessionTests {
    @Test func `a session answers rows`() async throws {
        let session = try await Session.open(ScratchDatabase.current.connection)
        let rows = try await session.query("SELECT \(7) AS n, \("sea") AS word, NULL::text AS none")
        let row = try #require(rows.first)
        let (number, word, none) = try row.decode((Int64, String, String?).self)
        #expect(number == 7)
        #expect(word == "sea")
        #expect(none == nil)
        await session.close()
    }
}
