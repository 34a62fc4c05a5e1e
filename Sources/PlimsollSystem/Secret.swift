/// What shows nothing of itself wherever it is printed by accident.
package protocol Secret: Sendable, CustomStringConvertible, CustomDebugStringConvertible {}

extension Secret {
    package var description: String { "<redacted>" }
    package var debugDescription: String { description }
}
