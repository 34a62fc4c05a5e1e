package import PlimsollDomain

/// A policy as it is, was or would be in force, and the event that made it so.
package struct PolicyView: Equatable, Sendable {
    package let scope: Scope
    package let policy: Policy
    /// Whether it is the app's own; the default of all is nobody's own.
    package let isOwn: Bool
    /// `nil` for the built-in one.
    package let decision: Decision?
    /// What it asks for that nobody can give as things are; nothing is said of earlier ones.
    package internal(set) var gaps: [PolicyGap] = []

    /// Who made it so, when and why.
    package struct Decision: Equatable, Sendable {
        /// `nil` where it was only tried.
        package let position: Position?
        package let by: PrincipalID
        package let at: Instant
        package let reason: Reason?
    }

    static func builtIn(in scope: Scope) -> PolicyView {
        PolicyView(scope: scope, policy: .builtIn, isOwn: false, decision: nil)
    }

    /// `nil` for an event that brings no policy into force.
    init?(_ recorded: RecordedEvent, in scope: Scope, isReal: Bool = true) {
        switch recorded.event {
        case .app(.policyChanged(let policy?)): (self.policy, isOwn) = (policy, true)
        case .service(.defaultPolicyChanged(let policy)): (self.policy, isOwn) = (policy, false)
        case .app, .change, .access, .key, .service, .export, .webhook: return nil
        }
        self.scope = scope
        decision = Decision(
            position: isReal ? recorded.position : nil,
            by: recorded.origin.actor,
            at: recorded.recordedAt,
            reason: recorded.origin.reason
        )
    }

    private init(scope: Scope, policy: Policy, isOwn: Bool, decision: Decision?) {
        self.scope = scope
        self.policy = policy
        self.isOwn = isOwn
        self.decision = decision
    }
}
