/// Why a service of Amazon's did not do what it was asked for.
///
/// The reasons are phrases that are the same each time the same thing happens.
package enum AmazonFailure: Error, Hashable, Sendable {
    /// It cannot be reached, or is too busy; asked again, it may do it.
    case away(String)
    /// It answered that it will not.
    case refused(String)
    /// What it answered makes no sense.
    case notUnderstood
}

extension AmazonFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .away(let reason), .refused(let reason): reason
        case .notUnderstood: "what it answered makes no sense"
        }
    }
}
