package import PlimsollDomain

extension UseCases {
    /// Gives an open change a time of its own, another one, or none, as it was seen; asks for a
    /// proposer.
    ///
    /// The schedule is part of what is approved, so approvals of the change as it was count no more.
    package func schedule(
        _ change: ChangeID,
        _ schedule: Schedule?,
        seen: ChangeDigest,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> ChangeView {
        try await decide(
            ScheduleChange(
                change: change,
                seen: seen,
                schedule: schedule,
                by: request.caller.principal,
                hash: ChangeDigest.init(of:)
            ),
            request
        )
    }
}
