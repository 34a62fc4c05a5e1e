package import PlimsollDomain

extension UseCases {
    /// Says why what a check found in a change is right, as it was seen; asks for the role that the
    /// policy names.
    package func overrideCheck(
        _ check: CheckName,
        of change: ChangeID,
        seen: ChangeDigest,
        reason: Reason,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> ChangeView {
        try await decide(
            OverrideCheck(
                change: change,
                seen: seen,
                check: check,
                reason: reason,
                by: request.caller.principal,
                hash: ChangeDigest.init(of:)
            ),
            request
        )
    }
}
