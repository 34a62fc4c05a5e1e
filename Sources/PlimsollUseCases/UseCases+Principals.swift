import FoundationEssentials
package import PlimsollDomain
import PlimsollStore

extension UseCases {
    /// What the first administrator is called.
    package static let firstAdministratorName = "bootstrap administrator"

    /// Lets the first administrator in, with a secret that was kept beforehand.
    ///
    /// Safe to repeat: a start that died in between is completed by the next one, and a log in
    /// which anything has happened gets no other administrator.
    package func admitFirstAdministrator(_ secret: TokenSecret) async throws(UseCaseError) {
        if try world().position == .start {
            let token = TokenRecord(
                id: TokenID(UUID()),
                principal: PrincipalID(UUID()),
                secret: secret.digest,
                expiresAt: nil
            )
            let command = IssueToken(
                token: token,
                grants: [RoleGrant(.admin, in: .all)],
                by: .system
            )
            _ = try await perform(
                command,
                WriteRequest(
                    caller: .system,
                    id: "bootstrap",
                    identity: .named("bootstrap"),
                    mode: .commit
                )
            )
        }
        guard let token = try world().access.token(secret: secret.digest, at: clock()) else {
            return
        }
        let names = try await read { try await directory.names(of: [token.principal]) }
        guard names.isEmpty else { return }
        try await remember(Self.firstAdministratorName, of: token.principal)
    }

    /// Whoever repeats an old request does not bring an erased name back.
    func remember(_ name: String, of principal: PrincipalID) async throws(UseCaseError) {
        guard try !world().access.erased.contains(principal) else { return }
        try await read { try await directory.remember(name, of: principal) }
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
        let erased = try world().access.erased
        guard !erased.isEmpty else { return }
        try await read { try await directory.forget(erased) }
    }

    /// Adds somebody who can act without giving them a token; answers who it is.
    package func admit(
        _ name: Title,
        _ grants: [RoleGrant],
        _ request: WriteRequest
    ) async throws(UseCaseError) -> PrincipalID {
        let command = AdmitPrincipal(
            PrincipalID(UUID()),
            grants: grants,
            by: request.caller.principal
        )
        let receipt = try await perform(command, request)
        guard case .access(.principalAdded(let principal)) = receipt.events.first?.event else {
            throw .unexpected("the first event of adding a principal is not its own")
        }
        if request.mode == .commit {
            try await remember(name.text, of: principal)
        }
        return principal
    }

    /// Everybody whose record the caller may read, themselves, and whoever has a role where the
    /// caller decides: who approves or rolls back has to know whose work it is.
    ///
    /// Of somebody's roles only those are told that the caller has to do with.
    package func principals(for caller: Caller) async throws(UseCaseError) -> [PrincipalView] {
        let reader = RecordReader(principal: caller.principal, access: try world().access)
        let visible = reader.access.principalIDs.filter(reader.sees)
        let names = try await read { try await directory.names(of: Set(visible)) }
        return visible.map {
            PrincipalView(id: $0, name: names[$0], grants: reader.grantsShown(of: $0))
        }
    }
}

/// What somebody may know of others.
struct RecordReader {
    let principal: PrincipalID
    let access: Access

    func sees(_ other: PrincipalID) -> Bool {
        other == principal || audits(other)
            || access.grants(of: other).contains { decides(in: $0.scope) }
    }

    func grantsShown(of other: PrincipalID) -> [RoleGrant] {
        let grants = access.grants(of: other)
        guard other != principal, !audits(other) else { return grants }
        return grants.filter { decides(in: $0.scope) || audits($0.scope) }
    }

    /// Whether they have a role that decides there; a role in everything holds wherever one is.
    private func decides(in scope: Scope) -> Bool {
        access.grants(of: principal).contains { own in
            (own.role == .approver || own.role == .responder)
                && (own.scope.covers(scope) || scope == .all)
        }
    }

    private func audits(_ other: PrincipalID) -> Bool {
        access.grants(of: other).allSatisfy { audits($0.scope) }
    }

    private func audits(_ scope: Scope) -> Bool { access.permits(principal, .auditor, in: scope) }
}
