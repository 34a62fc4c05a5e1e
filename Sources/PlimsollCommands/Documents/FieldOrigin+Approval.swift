import PlimsollAPI

extension FieldOrigin {
    /// Who approved it, or why nobody had to.
    func approval(_ people: People) -> String {
        guard approvers.isEmpty else {
            return approvers.map(people.name).joined(separator: ", ")
        }
        return switch kind {
        case .change: ""
        case .emergency: "nobody: emergency \(excerpt(incident ?? "", 24))"
        case .rollback: "nobody: rollback"
        }
    }
}
