package import PlimsollDomain

extension UseCases {
    /// Says something about an open change; asks for anybody who may do more than read.
    package func comment(
        on change: ChangeID,
        _ comment: Reason,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> ChangeView {
        try await decide(
            CommentOnChange(change: change, comment: comment, by: request.caller.principal),
            request
        )
    }

    /// Puts other edits in the place of the change's; asks for a proposer.
    package func revise(
        _ revision: ChangeRevision,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> ChangeView {
        let slug = try world().app(ofChange: revision.change)
        var past: PastState?
        if let slug {
            past = try await self.past(at: revision.base, under: revision.operations, of: slug)
        }
        return try await decide(
            ReviseChange(
                change: revision.change,
                seen: revision.seen,
                title: revision.title,
                base: revision.base,
                operations: revision.operations,
                schedule: revision.schedule,
                resolve: revision.resolve,
                past: past,
                reason: revision.reason,
                by: request.caller.principal,
                hash: ChangeDigest.init(of:)
            ),
            request
        )
    }

    /// Brings a change into force that has its approvals and was kept waiting, as it was seen; asks
    /// for a proposer or an approver.
    package func apply(
        _ change: ChangeID,
        seen: ChangeDigest,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> ChangeView {
        try await decide(
            ApplyChange(
                change: change,
                seen: seen,
                by: request.caller.principal,
                hash: ChangeDigest.init(of:)
            ),
            request
        )
    }
}
