import PlimsollAPI
import PlimsollDomain
import PlimsollStore

extension UseCases {
    /// What people are called, as far as that is what the log says, and not erased.
    ///
    /// Names stand outside the log, where others may write: one that is not the name that the log
    /// committed to is not shown.
    func names(
        of principals: Set<PrincipalID>
    ) async throws(UseCaseError) -> [PrincipalID: String] {
        let names = try await read { try await directory.names(of: principals) }
        return try logState().access.believing(names)
    }

    /// Lets somebody in under a name, by a command that says what the name is.
    ///
    /// Name and salt stand beside the log before the event that commits to them, so that nobody in it
    /// goes without a name. They are taken away again only where it is known that the event will not
    /// come; else whoever asks once more, or the next start, finds them.
    func perform(
        naming text: String,
        _ principal: PrincipalID,
        _ request: WriteRequest,
        _ command: (NameCommitment?) async throws(UseCaseError) -> any Command
    ) async throws(UseCaseError) -> Receipt {
        let name = SaltedName.made(of: text)
        guard request.mode == .commit else {
            return try await perform(try await command(name.commitment), request)
        }
        // Where nothing may be appended nothing is written here either.
        if let prohibition = writer.prohibition { throw .readOnly(prohibition) }
        if try logState().access.principal(principal) != nil {
            let receipt = try await perform(try await command(nil), request)
            try await complete(receipt, text)
            return receipt
        }
        let held = try await read { try await directory.hold(name, of: principal) }
        guard let held else { throw .storeAway }
        // Somebody else's wish under the same key has come as far.
        guard held.name.name == text, let commitment = held.name.commitment else {
            throw .keyReused
        }
        let receipt: Receipt
        do throws(UseCaseError) {
            receipt = try await perform(try await command(commitment), request)
        } catch {
            if held.isNew, error.excludesAppend {
                // What cannot be taken away now the next start takes.
                // What the key was used for was recorded before this was said.
                let command = error == .keyReused ? nil : request.identity.id
                try? await takeBack(held.name, of: principal, unlessDone: command)
            }
            throw error
        }
        if receipt.admits(principal, commitment) {
            try await keep(held.name, of: principal)
        } else if held.isNew, writer.prohibition == nil {
            try await read { try await directory.takeBack(held.name, of: principal) }
        }
        try await complete(receipt, text)
        return receipt
    }

    /// Takes a name away under which nobody is let in.
    private func takeBack(
        _ name: SaltedName,
        of principal: PrincipalID,
        unlessDone command: CommandID?
    ) async throws(UseCaseError) {
        try await catchUp()
        let access = try logState().access
        guard writer.prohibition == nil, !access.calls(principal, name) else { return }
        // Whom this instance does not know another one may let in at this moment.
        let isKnown = access.principal(principal) != nil
        try await read {
            try await directory.takeBack(name, of: principal, unlessDone: isKnown ? nil : command)
        }
    }

    /// Sees to it, behind the event, that the name stands there which that says.
    ///
    /// A start elsewhere may have taken it for one that leads to nobody. One without a salt is written
    /// over no other.
    func keep(_ name: SaltedName, of principal: PrincipalID) async throws(UseCaseError) {
        guard writer.prohibition == nil, try !logState().access.erased.contains(principal) else {
            return
        }
        let isWritten = try await read {
            name.salt == nil
                ? try await directory.hold(name, of: principal)?.isNew == true
                : try await directory.correct(name, of: principal)
        }
        guard isWritten else { return }
        // Erased elsewhere meanwhile, it must not stay.
        try await catchUp()
        try await forgetErasedNames()
    }

    /// Completes what a program of before has begun, which wrote the name behind the event; refuses a
    /// wish for another name under the same key.
    private func complete(_ receipt: Receipt, _ text: String) async throws(UseCaseError) {
        guard let (principal, commitment) = receipt.admission else { return }
        let isBefore = try logState().access.principal(principal)?.isBeforeNames == true
        if commitment == nil, isBefore {
            try await keep(SaltedName(text, salt: nil), of: principal)
        }
        guard try await names(of: [principal])[principal].map({ $0 == text }) ?? true else {
            throw .keyReused
        }
    }

    /// Folds what the log has by now.
    func catchUp() async throws(UseCaseError) {
        let head = try await read { try await readModels.log.head().position }
        writer.ring(head)
        await writer.wait(for: head, patience: readModels.patience)
        guard writer.logState.position >= head else { throw .storeAway }
    }

    /// Lets somebody in under a name, unless nobody may be called that.
    ///
    /// The name is written down first and looked for afterwards: of two who ask for names that look
    /// alike at the same time, in whichever processes, no two get one.
    func perform(
        naming name: Title,
        _ request: WriteRequest,
        _ command: (NameCommitment?) -> IssueToken
    ) async throws(UseCaseError) -> Receipt {
        // Nobody reserves a name who may let nobody in.
        if let refusal = try refusal(of: command(nil)) {
            do throws(UseCaseError) {
                let refused = RefusedIssue(command: command(nil), refusal: refusal)
                let receipt = try await perform(refused, request)
                try await complete(receipt, name.text)
                return receipt
            } catch {
                // They may by now: what stands against it was not the newest.
                guard error == .refused(refusal), try self.refusal(of: command(nil)) == nil else {
                    throw error
                }
            }
        }
        let principal = command(nil).token.principal
        return try await perform(
            naming: name.text,
            principal,
            request
        ) { commitment throws(UseCaseError) in
            let objection = try await objection(to: name, of: principal)
            return NamedIssue(command: command(commitment), objection: objection)
        }
    }

    private func refusal(of command: IssueToken) throws(UseCaseError) -> Refusal? {
        let logState = try logState()
        do throws(Refusal) {
            _ = try command.decide(in: logState, at: clock())
            return nil
        } catch {
            return error
        }
    }

    private func objection(
        to name: Title,
        of principal: PrincipalID
    ) async throws(UseCaseError) -> Objection? {
        if let word = Skeleton.reservedWord(like: name.text) { return .nameReserved(word) }
        if Skeleton.isLikeID(name.text) { return .nameLikeID }
        let erased = try logState().access.erased
        let others = try await read { try await directory.everyName() }
        let skeleton = Skeleton(of: name.text)
        let isTaken = others.contains { id, other in
            id != principal && !erased.contains(id)
                && Skeleton(of: other.name).isConfusable(with: skeleton)
        }
        return isTaken ? .nameTaken(name.text) : nil
    }
}

/// Lets nobody in, whatever the log says by now: no name is written down.
///
/// Whoever repeats what was carried out is answered as before.
private struct RefusedIssue: Command {
    let command: IssueToken
    let refusal: Refusal

    var by: PrincipalID { command.by }
    var reason: Reason? { command.reason }

    func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        _ = try command.decide(in: logState, at: now)
        throw refusal
    }
}

extension Receipt {
    /// Who was let in, and what the log says of their name.
    fileprivate var admission: (PrincipalID, NameCommitment?)? {
        for case .access(.principalAdded(let principal, let name)) in events.lazy.map(\.event) {
            return (principal, name)
        }
        return nil
    }

    fileprivate func admits(_ principal: PrincipalID, _ name: NameCommitment) -> Bool {
        admission.map { $0 == (principal, name) } ?? false
    }
}

extension Access {
    /// Whether the log says that somebody has just this name.
    func calls(_ id: PrincipalID, _ name: SaltedName) -> Bool {
        !erased.contains(id) && name.commitment != nil && principal(id)?.name == name.commitment
    }
}

/// Lets somebody in, unless nobody may be called what they are to be called.
///
/// Names stand outside the log, so what stands against one comes in with the command: whoever repeats
/// a request that was carried out is answered as before.
private struct NamedIssue: Command {
    let command: IssueToken
    let objection: Objection?

    var by: PrincipalID { command.by }
    var reason: Reason? { command.reason }

    func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        // Whoever may let nobody in is not told who is there.
        let decision = try command.decide(in: logState, at: now)
        if let objection { throw Refusal(objection) }
        return decision
    }
}
