/// What sort of thing people said or did about a change between its proposal and its end.
package enum RemarkKind: String, CaseIterable, Sendable {
    case comment
    /// A reviewer wants something else.
    case changesRequested
    /// Other operations took the place of those that were there.
    case revised
    /// It got another time, or none.
    case scheduled
    /// What a check found is right.
    case overridden
}
