package import Foundation
package import PlimsollAPI
package import PlimsollDomain
package import PlimsollStore

/// Who asks for a write, under which name, and whether for real.
package struct WriteRequest: Sendable {
    package let caller: Caller
    /// The id of the request, as in the service's log.
    package let id: String
    package let identity: CommandIdentity
    package let mode: WriteOptions.Mode
    /// Shared by all events of one action.
    package let correlation: UUID

    package init(
        caller: Caller,
        id: String,
        identity: CommandIdentity,
        mode: WriteOptions.Mode,
        correlation: UUID = UUID()
    ) {
        self.caller = caller
        self.id = id
        self.identity = identity
        self.mode = mode
        self.correlation = correlation
    }
}

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
