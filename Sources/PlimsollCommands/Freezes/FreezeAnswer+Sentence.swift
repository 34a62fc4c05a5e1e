import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

extension FreezeAnswer {
    /// What is frozen, since when, by whom and why.
    func sentence(_ people: People) -> String {
        let name = app.map(\.text) ?? "Everything"
        let words = reason.map { ": \(excerpt($0.text, 400))" } ?? "."
        let end = until.map { " until \($0)" } ?? ""
        return "\(name) is frozen since \(since)\(end), by \(people.name(by))\(words)"
    }
}

extension FreezePlanAnswer {
    /// What will be frozen, from when until when, by whom and why.
    func sentence(_ people: People) -> String {
        let name = app.map(\.text) ?? "Everything"
        let (from, until) = (
            window.timeZone.shown(window.from), window.timeZone.shown(window.until)
        )
        let words = reason.map { ": \(excerpt($0.text, 400))" } ?? "."
        let event = plan.map { " (planned by event \($0))" } ?? ""
        return "\(name) will be frozen from \(from) until \(until)\(event), by"
            + " \(people.name(by))\(words)"
    }

    /// Whether it is not in force yet.
    func liesAhead(of freeze: FreezeAnswer?) -> Bool {
        freeze?.since != window.from || freeze?.until != window.until
    }
}

extension AppAnswer {
    /// The freeze, for whoever reads a table; JSON has it as a member.
    func freezeBlocks(_ people: People) -> [Report.Block] {
        Report.freezes(freeze, freezePlans, people)
    }

    var freezeJSON: JSONValue { freeze.map { .object($0.json) } ?? .null }
}

extension Report {
    /// What is frozen, and what will be.
    static func freezes(
        _ freeze: FreezeAnswer?,
        _ plans: [FreezePlanAnswer],
        _ people: People
    ) -> [Block] {
        ([freeze?.sentence(people)].compactMap(\.self)
            + plans.filter { $0.liesAhead(of: freeze) }.map { $0.sentence(people) }).map(Block.line)
    }
}
