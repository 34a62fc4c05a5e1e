/// What sort of change it is; a policy has a rule for each.
package enum ChangeKind: String, CaseIterable, Sendable {
    /// A minimum rises, or is set where none was.
    case raiseMinimum
    /// A minimum falls, or is taken away.
    case lowerMinimum
    /// A recommended version becomes another.
    case recommendation
    /// What clients of Prince of Versions are offered becomes something else.
    case offers
    /// Nothing but texts, or the same version written otherwise.
    case text

    /// Every kind that the effect belongs to; the rules of all of them hold.
    package static func kinds(of effect: [FieldChange]) -> Set<ChangeKind> {
        let kinds = Set(effect.compactMap(kind))
        return kinds.isEmpty ? [.text] : kinds
    }

    private static func kind(of change: FieldChange) -> ChangeKind? {
        guard let threshold = change.field.threshold else { return .offers }
        guard change.field.part == .value else { return nil }
        guard threshold.isMinimum else { return .recommendation }
        guard case .version(let after)? = change.after else { return .lowerMinimum }
        guard case .version(let before)? = change.before else { return .raiseMinimum }
        if before.isOlder(than: after) { return .raiseMinimum }
        return after.isOlder(than: before) ? .lowerMinimum : nil
    }
}
