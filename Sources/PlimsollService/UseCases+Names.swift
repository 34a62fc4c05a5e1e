import PlimsollDomain
import PlimsollStore

/// Lets somebody in, unless nobody may be called what they are to be called.
///
/// Names stand outside the log, so what stands against one comes in with the command: whoever repeats
/// a request that was carried out is answered as before.
struct NamedIssue: Command {
    let command: IssueToken
    let objection: Objection?

    var by: PrincipalID { command.by }
    var reason: Reason? { command.reason }

    func decide(in world: World, at now: Instant) throws(Refusal) -> Decision {
        // Whoever may let nobody in is not told who is there.
        let decision = try command.decide(in: world, at: now)
        if let objection { throw Refusal(objection) }
        return decision
    }
}

extension UseCases {
    /// Reserves a name while somebody is let in under it, and gives it back where that fails.
    ///
    /// It is written down first and looked for afterwards: of two who ask for names that look alike at
    /// the same time, in whichever processes, no two get one.
    func perform(
        _ command: IssueToken,
        naming name: Title?,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> Receipt {
        guard let name else { return try await perform(command, request) }
        let principal = command.token.principal
        let isReal = request.mode == .commit
        if isReal { try await read { try await directory.remember(name.text, of: principal) } }
        do throws(UseCaseError) {
            let objection = try await objection(to: name, of: principal)
            let receipt = try await perform(
                NamedIssue(command: command, objection: objection),
                request
            )
            let isKept = receipt.world.access.principal(principal) != nil
            if isReal, !isKept { try await forget(principal) }
            return receipt
        } catch {
            if isReal { try await forget(principal) }
            throw error
        }
    }

    private func objection(
        to name: Title,
        of principal: PrincipalID
    ) async throws(UseCaseError) -> Objection? {
        if let word = Skeleton.reservedWord(like: name.text) { return .nameReserved(word) }
        let erased = try world().access.erased
        let others = try await read { try await directory.everyName() }
        let skeleton = Skeleton(of: name.text)
        let isTaken = others.contains { id, other in
            id != principal && !erased.contains(id)
                && Skeleton(of: other).isConfusable(with: skeleton)
        }
        return isTaken ? .nameTaken(name.text) : nil
    }

    private func forget(_ principal: PrincipalID) async throws(UseCaseError) {
        try await read { try await directory.forget([principal]) }
    }
}
