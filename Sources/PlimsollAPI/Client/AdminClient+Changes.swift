package import PlimsollDomain

/// `/v1/apps/{app}/changes` and `/v1/changes`: proposals and what becomes of them.
extension AdminClient {
    package func propose(
        _ form: ProposalForm,
        for app: AppSlug,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> ChangeAnswer {
        try await post(form, to: "/v1/apps/\(app)/changes", write)
    }

    package func changes(
        of app: AppSlug,
        in states: [ChangeState] = [],
        at moment: DocumentMoment = .live,
        needingMe: Bool = false,
        _ page: PageOptions = PageOptions()
    ) async throws(AdminError) -> ChangeList {
        let needs = needingMe ? [(name: "needsMe", value: "true")] : []
        let query = states.map { (name: "state", value: $0.rawValue) } + moment.query + needs
        return try await get("/v1/apps/\(app)/changes", query + page.query)
    }

    package func change(_ id: ChangeID) async throws(AdminError) -> ChangeAnswer {
        try await get("/v1/changes/\(id)")
    }

    package func approve(
        _ id: ChangeID,
        seen digest: ChangeDigest,
        _ form: ApprovalForm = ApprovalForm(),
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> ChangeAnswer {
        try await post(form, to: "/v1/changes/\(id)/approve", write, ifMatch: digest.hex)
    }

    package func reject(
        _ id: ChangeID,
        seen digest: ChangeDigest,
        _ form: RejectionForm,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> ChangeAnswer {
        try await post(form, to: "/v1/changes/\(id)/reject", write, ifMatch: digest.hex)
    }

    package func withdraw(
        _ id: ChangeID,
        seen digest: ChangeDigest,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> ChangeAnswer {
        try await post(EmptyForm(), to: "/v1/changes/\(id)/withdraw", write, ifMatch: digest.hex)
    }

    package func requestChanges(
        of id: ChangeID,
        seen digest: ChangeDigest,
        _ form: RejectionForm,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> ChangeAnswer {
        try await post(form, to: "/v1/changes/\(id)/request-changes", write, ifMatch: digest.hex)
    }

    package func comment(
        on id: ChangeID,
        _ form: CommentForm,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> ChangeAnswer {
        try await post(form, to: "/v1/changes/\(id)/comment", write)
    }

    package func revise(
        _ id: ChangeID,
        seen digest: ChangeDigest,
        _ form: RevisionForm,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> ChangeAnswer {
        try await post(form, to: "/v1/changes/\(id)/revise", write, ifMatch: digest.hex)
    }

    package func schedule(
        _ id: ChangeID,
        seen digest: ChangeDigest,
        _ form: SchedulingForm,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> ChangeAnswer {
        try await post(form, to: "/v1/changes/\(id)/schedule", write, ifMatch: digest.hex)
    }

    package func apply(
        _ id: ChangeID,
        seen digest: ChangeDigest,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> ChangeAnswer {
        try await post(EmptyForm(), to: "/v1/changes/\(id)/apply", write, ifMatch: digest.hex)
    }

    /// Says why what a check found is right.
    package func overrideCheck(
        of id: ChangeID,
        seen digest: ChangeDigest,
        _ form: OverrideForm,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> ChangeAnswer {
        try await post(form, to: "/v1/changes/\(id)/override", write, ifMatch: digest.hex)
    }
}
