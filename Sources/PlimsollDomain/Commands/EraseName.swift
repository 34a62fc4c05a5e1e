/// Has the name of a principal erased, for good; what they did stays recorded under their id.
package struct EraseName: Command {
    package let principal: PrincipalID
    package let by: PrincipalID

    package init(of principal: PrincipalID, by: PrincipalID) {
        self.principal = principal
        self.by = by
    }

    package func decide(in world: World, at now: Instant) throws(Refusal) -> Decision {
        try world.require(.admin, of: by, in: .all)
        guard world.access.principal(principal) != nil else {
            throw Refusal(.nobodyKnown(principal))
        }
        guard !world.access.erased.contains(principal) else { throw Refusal(.nothingChanges) }
        var decision = Decision(relyingOn: [.access])
        decision.append(.access(.nameErased(principal)), to: .access)
        return decision
    }
}
