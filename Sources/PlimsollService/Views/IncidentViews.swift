package import PlimsollDomain

/// Which open reviews are wanted, oldest first; what is empty or `nil` does not narrow them.
package struct ReviewQuery: Equatable, Sendable {
    package var apps: [AppSlug] = []
    package var owners: [PrincipalID] = []
    package var isOverdue: Bool?
    /// Asks for closed ones, those that were closed last first, in the place of open ones.
    package var isClosed = false
    /// The review behind which to go on, of closed ones the event that closed it.
    package var after: Position?
    package var limit = 50

    package static let limitMaximum = 200

    package init() {}
}

/// How many reviews wait.
package struct ReviewCount: Equatable, Sendable {
    package let open: Int
    /// Those of them that are later than they should be.
    package let overdue: Int
}
