/// Why nothing may be written until an operator decides.
package struct Prohibition: Equatable, Sendable {
    package let cause: Cause
    /// What an operator is told, and what they can do.
    package let sentence: String

    package init(_ cause: Cause, _ sentence: String) {
        self.cause = cause
        self.sentence = sentence
    }

    /// How the log stands to what was signed over it.
    package enum Cause: Hashable, Sendable {
        /// It has less.
        case logBehind
        /// It has something else.
        case logForked
    }
}
