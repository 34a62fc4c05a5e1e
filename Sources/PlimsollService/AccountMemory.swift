package import PlimsollAPI
import PlimsollDomain
import PlimsollStore

/// What is kept of accounts that install from marketplaces; who keeps it is not the use cases'
/// business.
package struct AccountMemory: Sendable {
    /// Erases what is kept of an account, and answers of how many apps it was.
    package typealias Erasure = @Sendable () async throws -> Int

    /// What erases an account, which nothing is done by yet.
    package let erasure: @Sendable (_ account: String) async throws -> Erasure

    package init(erasure: @escaping @Sendable (_ account: String) async throws -> Erasure) {
        self.erasure = erasure
    }

    /// Where no key is that accounts could be hashed with.
    package static let closed = AccountMemory { _ in throw Problem.accountKeyUnusable }
}

extension Problem {
    /// Why is for the operator's log alone.
    package static let accountKeyUnusable = Problem(
        .keyUnusable,
        detail: "The key that accounts are hashed with is not here, or cannot be used, so nothing"
            + " was erased. Ask an instance that answers devices, or tell the operator."
    )
}

extension UseCases {
    /// Erases what is kept of an account; asks for an administrator of all apps.
    ///
    /// It is recorded that somebody did so, and not of whom: not even as the digest of the request,
    /// with which names could be tried out. So a key that was used before erases what this request
    /// says, and records nothing more.
    package func forgetAccount(
        _ account: String,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> AccountAnswer {
        try require(.admin, of: request.caller, in: .all, try logState())
        // What cannot be done is not recorded.
        let erasure = try await read { try await accounts.erasure(account) }
        let receipt = try await perform(
            ForgetAccount(by: request.caller.principal),
            request.sayingNothing
        )
        guard receipt.freshness != .dryRun else { return AccountAnswer(apps: nil) }
        return AccountAnswer(apps: try await read { try await erasure() })
    }
}

extension WriteRequest {
    /// The same under its name, with nothing of what it asks for.
    fileprivate var sayingNothing: WriteRequest {
        WriteRequest(
            caller: caller,
            id: id,
            identity: CommandIdentity(
                id: identity.id,
                requestDigest: CommandIdentity.once().requestDigest
            ),
            mode: mode,
            correlation: correlation
        )
    }
}
