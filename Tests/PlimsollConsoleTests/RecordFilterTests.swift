import PlimsollDomain
import Testing

@testable import PlimsollConsole

struct RecordFilterTests {
    // Goal: what the address asks for is asked of the interface, and nothing that was left empty.
    @Test func `empty filters are left out and repeated ones are kept`() {
        let filter = RecordFilter(
            FormFields([
                ("app", "harbour"), ("type", ""), ("type", "RolledBack"), ("type", "TextSet"),
                ("other", "x"), ("cursor", "abc"),
            ])
        )
        #expect(filter.pairs.map(\.name) == ["app", "type", "type"])
        #expect(filter.all("type") == ["RolledBack", "TextSet"])
        #expect(filter.cursor == "abc")
        #expect(filter.app == AppSlug("harbour"))
    }

    // Goal: whoever writes a day means all of it.
    @Test(arguments: [
        ("since", "2026-11-21", "2026-11-21T00:00:00.000Z"),
        ("until", "2026-11-21", "2026-11-21T23:59:59.999Z"),
        ("until", "2026-11-21T08:30", "2026-11-21T08:30:00.000Z"), ("since", "42", "42"),
        ("until", "2026-11-21T08:30:00+01:00", "2026-11-21T08:30:00+01:00"),
        ("since", "soon", "soon"),
    ])
    func `a day is the whole day`(_ name: String, _ text: String, _ asked: String) {
        #expect(RecordFilter(FormFields([(name, text)]))[name] == asked)
    }

    // Goal: a field with its app alone is the field's own history, and anything more is not.
    @Test func `a field with nothing else but its app is asked for by itself`() {
        let field = (name: "field", value: "ios.minimumApp.value")
        let app = (name: "app", value: "harbour")
        #expect(RecordFilter(FormFields([app, field])).onlyField?.path == field.value)
        #expect(RecordFilter(FormFields([app, field, ("reason", "x")])).onlyField == nil)
        #expect(RecordFilter(FormFields([app])).onlyField == nil)
        #expect(RecordFilter(FormFields([app, ("field", "nonsense")])).onlyField == nil)
    }

    // Goal: a page on which nothing new is going to stand is not watched.
    @Test func `what is over is not followed`() {
        let app = (name: "app", value: "harbour")
        #expect(RecordFilter(FormFields([app])).feed?.map(\.value) == ["harbour"])
        #expect(RecordFilter(FormFields([app, ("until", "7")])).feed == nil)
        #expect(RecordFilter(FormFields([app, ("order", "oldest")])).feed == nil)
        #expect(RecordFilter(FormFields([app, ("cursor", "x")])).feed == nil)
    }

    // Goal: the events of one act stand together, where the newest of them stands.
    @Test func `what belongs together is grouped in the order of the first`() {
        let groups = grouped(["b2", "a3", "b1", "a1", "c1"]) { $0.first }
        #expect(groups == [["b2", "b1"], ["a3", "a1"], ["c1"]])
        #expect(grouped([Int]()) { $0 } == [])
    }
}
