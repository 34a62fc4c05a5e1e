package import PlimsollDomain

/// Somebody whose identity has been established.
package struct Caller: Equatable, Sendable {
    package let principal: PrincipalID
    package let authentication: Authentication

    /// Plimsoll itself.
    package static let system = Caller(principal: .system, authentication: .service)

    package init(principal: PrincipalID, authentication: Authentication) {
        self.principal = principal
        self.authentication = authentication
    }
}
