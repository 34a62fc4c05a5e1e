/// Says that what is kept of an account that installs from marketplaces is to be erased.
///
/// Whose it is stands outside the log, where it can be erased; so the command does not know it, and
/// asks for no reason, which might tell.
package struct ForgetAccount: Command {
    package let by: PrincipalID

    package init(by: PrincipalID) { self.by = by }

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        try logState.require(.admin, of: by, in: .all)
        var decision = Decision(relyingOn: [.access])
        decision.append(.service(.accountForgotten), to: .service)
        return decision
    }
}
