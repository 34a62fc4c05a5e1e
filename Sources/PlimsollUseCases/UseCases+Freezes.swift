package import PlimsollDomain
import PlimsollStore

extension UseCases {
    /// Keeps everything but rollbacks and emergencies from applying; asks for a responder or an
    /// administrator.
    package func startFreeze(
        of scope: Scope,
        reason: Reason,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> FreezeView {
        let command = StartFreeze(of: scope, reason: reason, by: request.caller.principal)
        let receipt = try await perform(command, request)
        guard let started = receipt.events.first else {
            throw .unexpected("a freeze does not begin with an event")
        }
        return FreezeView(started, of: scope)
    }

    /// Lets changes apply again; asks for a responder or an administrator.
    package func endFreeze(
        of scope: Scope,
        reason: Reason?,
        _ request: WriteRequest
    ) async throws(UseCaseError) {
        _ = try await perform(
            EndFreeze(of: scope, reason: reason, by: request.caller.principal),
            request
        )
    }
}
