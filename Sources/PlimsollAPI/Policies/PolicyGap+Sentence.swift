package import PlimsollDomain

extension PolicyGap {
    /// What nobody can give, people called by their names.
    package func sentence(naming name: (PrincipalID) -> String = \.text) -> String {
        switch self {
        case .approvals(let kinds, let requirement, let have):
            let subjects = kinds.map(\.subject).joined(separator: ", ")
            let enough = have == 0 ? "nobody can give one" : "only \(have) can be given"
            let verb = requirement.count == 1 ? "is" : "are"
            return "\(subjects): \(requirement.words(naming: name)) \(verb) needed, and \(enough)."
        case .override(let check, let role):
            return "Nobody has the role \(role.rawValue), to override the check \(check.rawValue)."
        case .review(let role):
            return "Nobody has the role \(role.rawValue), to close a review."
        case .releases(let rule):
            return "Nobody of \(rule.permitted(naming: name)) is there to register releases."
        case .shares(let rule):
            return "Nobody of \(rule.permitted(naming: name)) is there to count devices."
        }
    }
}
