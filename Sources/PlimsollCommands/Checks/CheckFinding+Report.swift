import PlimsollAPI
import PlimsollDomain

extension [CheckFinding] {
    /// What looks like a mistake, for whoever did it.
    var blocks: [Report.Block] { map { .line($0.line) } }
}

extension [CheckAnswer] {
    /// What looks like a mistake, for whoever decides on it.
    func blocks(_ people: People) -> [Report.Block] {
        map { .line($0.finding.line + $0.remark(people)) }
    }
}

extension CheckFinding {
    fileprivate var line: String { "check     \(check.rawValue): \(legible(sentence))" }
}

extension CheckAnswer {
    fileprivate func remark(_ people: People) -> String {
        if let overriddenBy { return " (overridden by \(people.name(overriddenBy)))" }
        guard severity == .refuse else { return "" }
        return overridableBy.map { " (refused, unless the role \($0.rawValue) overrides it)" }
            ?? " (refused)"
    }
}
