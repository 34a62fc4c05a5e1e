import PlimsollAPI
import PlimsollAdmin
import PlimsollDomain
import PlimsollJSON

extension FreezeAnswer {
    /// What is frozen, since when, by whom and why.
    func sentence(_ people: People) -> String {
        let name = app.map(\.text) ?? "Everything"
        let words = reason.map { ": \(excerpt($0.text, 400))" } ?? "."
        return "\(name) is frozen since \(since), by \(people.name(by))\(words)"
    }
}

extension AppAnswer {
    /// The freeze, for whoever reads a table; JSON has it as a member.
    func freezeBlocks(_ people: People) -> [Report.Block] {
        freeze.map { [.line($0.sentence(people))] } ?? []
    }

    var freezeJSON: JSONValue { freeze.map { .object($0.json) } ?? .null }
}
