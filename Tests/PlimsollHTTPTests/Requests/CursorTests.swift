import Testing

@testable import PlimsollHTTP

@Suite struct CursorTests {
    @Test func `a cursor leads back to its place`() throws {
        let cursor = Cursor(after: 4711, of: ["events", "app=harbour"])
        #expect(Cursor(cursor.text, of: ["events", "app=harbour"]) == cursor)
    }

    @Test func `a cursor of another question is refused`() {
        let cursor = Cursor(after: 4711, of: ["events", "app=harbour"])
        #expect(Cursor(cursor.text, of: ["events", "app=quay"]) == nil)
        #expect(Cursor(cursor.text, of: ["events"]) == nil)
        #expect(Cursor(cursor.text, of: ["events", "app=", "harbour"]) == nil)
    }

    @Test(arguments: ["", "x", "4711", "LTE", "%%%", String(repeating: "A", count: 100_000)])
    func `what is no cursor is refused`(_ text: String) {
        #expect(Cursor(text, of: ["events"]) == nil)
    }
}
