/// A mistake that was made before, by somebody, and that can be seen in what a change would do.
package enum CheckName: String, CaseIterable, Sendable {
    /// People are told to install a version that will not run.
    case minimumAboveRecommended
    /// Versions run again that did not.
    case minimumLowered
    /// People who read a language see another one, or nothing.
    case languageRemoved
    /// One of the two texts is about something else.
    case textsEqual
    /// A text was not finished, or not read through.
    case placeholderLeft
    /// People are sent to a store that they do not have.
    case otherStoreNamed
    /// A mark that turns the direction stands in a language that is written from left to right.
    case directionMark
    /// A text does not fit on the screens that show it.
    case textLong
}

/// What a check found in a field.
package struct CheckFinding: Hashable, Sendable {
    package let check: CheckName
    package let field: Field
    /// What is wrong, and where.
    package let sentence: String

    package init(_ check: CheckName, _ field: Field, _ sentence: String) {
        self.check = check
        self.field = field
        self.sentence = sentence
    }
}
