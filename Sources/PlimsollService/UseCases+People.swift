package import PlimsollAPI
import FoundationEssentials
import PlimsollDocuments
package import PlimsollDomain
import PlimsollStore

extension UseCases {
    /// What the first administrator is called.
    package static let firstAdministratorName = "bootstrap administrator"

    /// Lets the first administrator in, with a secret that was kept beforehand.
    ///
    /// Safe to repeat: a start of before that died in between is completed by the next one, and a log in
    /// which anything has happened gets no other administrator.
    package func admitFirstAdministrator(_ secret: TokenSecret) async throws(UseCaseError) {
        let logState = try logState()
        guard logState.position == .start else {
            let token = logState.access.token(secret: secret.digest, at: clock())
            guard let first = token?.principal, writer.prohibition == nil,
                logState.access.principal(first)?.isBeforeNames == true
            else { return }
            return try await keep(SaltedName(Self.firstAdministratorName, salt: nil), of: first)
        }
        let token = TokenRecord(
            id: TokenID(UUID()),
            principal: PrincipalID(UUID()),
            secret: secret.digest,
            expiresAt: nil
        )
        let request = WriteRequest(
            caller: .system,
            id: "bootstrap",
            identity: .named("bootstrap"),
            mode: .commit
        )
        _ = try await perform(naming: Self.firstAdministratorName, token.principal, request) {
            IssueToken(
                token: token,
                grants: [RoleGrant(.admin, in: .all)],
                name: $0,
                by: .system
            )
        }
    }

    /// Erases what a principal is called, for good; asks for an administrator of all apps.
    package func eraseName(
        of principal: PrincipalID,
        _ request: WriteRequest
    ) async throws(UseCaseError) {
        let command = EraseName(of: principal, by: request.caller.principal)
        do throws(UseCaseError) {
            _ = try await perform(command, request)
        } catch {
            // It may have been recorded and the process have died before the name was gone.
            if error == UseCaseError(.nothingChanges), request.mode == .commit {
                try await forgetErasedNames()
            }
            throw error
        }
        if request.mode == .commit { try await forgetErasedNames() }
    }

    /// Removes names that the log says are erased: a death in between leaves them behind, and a
    /// backup brings them back.
    package func forgetErasedNames() async throws(UseCaseError) {
        let erased = try logState().access.erased
        guard !erased.isEmpty else { return }
        try await read { try await directory.forget(erased) }
    }

    /// Removes names that were reserved for somebody who was never let in, because the process died
    /// in between.
    package func forgetReservedNames() async throws(UseCaseError) {
        let names = try await read { try await directory.everyName() }
        let before = try logState().access
        let reserved = names.filter { before.principal($0.key) == nil }
        guard !reserved.isEmpty else { return }
        for (principal, name) in reserved {
            try await read { try await directory.takeBack(name, of: principal) }
        }
        // Whom another process has let in at this moment is called so after all.
        try await catchUp()
        let access = try logState().access
        for (principal, name) in reserved {
            let isBefore = access.principal(principal)?.isBeforeNames == true
            if access.calls(principal, name) || name.salt == nil && isBefore {
                try await keep(name, of: principal)
            }
        }
    }

    /// Adds somebody who can act without giving them a token; answers who it is.
    package func admit(
        _ name: Title,
        _ grants: [RoleGrant],
        _ request: WriteRequest
    ) async throws(UseCaseError) -> PrincipalID {
        let receipt = try await perform(
            naming: name.text,
            request.identity.newcomer,
            request
        ) {
            AdmitPrincipal(
                request.identity.newcomer,
                grants: grants,
                name: $0,
                by: request.caller.principal
            )
        }
        guard case .access(.principalAdded(let principal, _)) = receipt.events.first?.event else {
            throw .unexpected("the first event of adding a principal is not its own")
        }
        return principal
    }

    /// Has what is signed with the key count as signed by the principal; asks for an administrator of
    /// every place where they have roles.
    package func addPersonKey(
        _ form: PersonKeyForm,
        of principal: PrincipalID,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> PrincipalStandingAnswer {
        guard form.key.isUsable else { throw UseCaseError(.personKeyUnusable) }
        let by = request.caller.principal
        let command = AddPersonKey(form.key, of: principal, reason: form.reason, by: by)
        return try await standing(of: principal, after: command, request)
    }

    /// Decides a command about somebody, and answers how that left them.
    package func standing(
        of principal: PrincipalID,
        after command: any Command,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> PrincipalStandingAnswer {
        let receipt = try await perform(command, request)
        let (logState, caller) = (receipt.logState, request.caller)
        let names = try await names(of: [principal])
        let issued = logState.access.tokensOfOthers(issuedBy: principal, at: clock())
        let reader = RecordReader(principal: caller.principal, access: logState.access)
        return PrincipalStandingAnswer(
            principal: view(of: principal, names[principal], reader),
            tokensOfOthers: try await views(of: issued, for: caller, logState)
        )
    }

    /// Suspends somebody, and signs their browsers out.
    ///
    /// Their sessions are over by the log as well: by when they were opened, which the database's clock
    /// says, and that may be off.
    package func suspend(
        _ principal: PrincipalID,
        _ command: SuspendPrincipal,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> PrincipalStandingAnswer {
        let standing = try await standing(of: principal, after: command, request)
        if request.mode == .commit, let sessions {
            try? await read { try await sessions.endAll(of: principal) }
        }
        return standing
    }

    private func view(
        of principal: PrincipalID,
        _ name: String?,
        _ reader: RecordReader
    ) -> PrincipalAnswer {
        PrincipalAnswer(
            id: principal,
            name: name,
            roles: reader.grantsShown(of: principal),
            suspension: reader.access.principal(principal)?.suspension,
            keys: reader.access.personKeys(of: principal).map {
                PersonKeyAnswer($0, fingerprint: $0.fingerprint)
            }
        )
    }

    /// Everybody whose record the caller may read, themselves, and whoever has or had a role where the
    /// caller has one: who sees a change has to know whose work it is, and whom to ask.
    ///
    /// Of somebody's roles only those are told that hold where the caller has one.
    package func principals(for caller: Caller) async throws(UseCaseError) -> [PrincipalAnswer] {
        let reader = RecordReader(principal: caller.principal, access: try logState().access)
        let visible = reader.access.principalIDs.filter(reader.sees)
        let names = try await names(of: Set(visible))
        return visible.map { view(of: $0, names[$0], reader) }
    }
}

/// What somebody may know of others.
struct RecordReader {
    let principal: PrincipalID
    let access: Access

    func sees(_ other: PrincipalID) -> Bool {
        other == principal || audits(other)
            || access.principal(other)?.placesOnce.contains(where: isAtHome) == true
    }

    func grantsShown(of other: PrincipalID) -> [RoleGrant] {
        let grants = access.grants(of: other)
        guard other != principal, !audits(other) else { return grants }
        return grants.filter { isAtHome(in: $0.scope) || audits($0.scope) }
    }

    /// Whether they have a role there; one in everything holds wherever there is one.
    private func isAtHome(in scope: Scope) -> Bool {
        access.grants(of: principal).contains { $0.scope.covers(scope) || scope == .all }
    }

    private func audits(_ other: PrincipalID) -> Bool {
        access.places(of: other).allSatisfy(audits)
    }

    private func audits(_ scope: Scope) -> Bool { access.permits(principal, .auditor, in: scope) }
}
