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

/// `/v1/apps`, and what hangs on an app.
extension AdminClient {
    package func apps(at moment: DocumentMoment = .live) async throws(AdminError) -> AppList {
        try await get("/v1/apps", moment.query)
    }

    package func app(_ slug: AppSlug) async throws(AdminError) -> AppAnswer {
        try await get("/v1/apps/\(slug)")
    }

    package func register(
        _ form: RegistrationForm,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> AppAnswer {
        try await post(form, to: "/v1/apps", write)
    }

    /// Has the app's documents stand at the addresses without an app's name.
    package func chooseDefault(
        _ app: AppSlug,
        _ form: DefaultAppForm,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> DefaultAppAnswer {
        try await post(form, to: "/v1/apps/\(app)/default", write)
    }

    /// Who put there what each field of a document holds.
    package func blame(
        of app: AppSlug,
        on platform: Platform,
        at moment: DocumentMoment = .live
    ) async throws(AdminError) -> BlameAnswer {
        try await get("/v1/apps/\(app)/documents/\(platform.rawValue)/blame", moment.query)
    }

    package func document(
        of app: AppSlug,
        on platform: Platform,
        at moment: DocumentMoment = .live
    ) async throws(AdminError) -> DocumentAnswer {
        try await get("/v1/apps/\(app)/documents/\(platform.rawValue)", moment.query)
    }

    package func princeOfVersions(
        of app: AppSlug,
        at moment: DocumentMoment = .live
    ) async throws(AdminError) -> PrinceOfVersionsAnswer {
        try await get("/v1/apps/\(app)/prince-of-versions", moment.query)
    }

    /// The same in a state as of a comparison.
    package func princeOfVersions(
        of app: AppSlug,
        in state: StateName
    ) async throws(AdminError) -> PrinceOfVersionsAnswer {
        switch state {
        case .live: try await princeOfVersions(of: app)
        case .event(let position): try await princeOfVersions(of: app, at: .event(position))
        case .time(let instant): try await princeOfVersions(of: app, at: .time(instant))
        case .change, .snapshot, .rollback:
            try await get("/v1/apps/\(app)/prince-of-versions", [("in", state.text)])
        }
    }

    /// Every event that wrote a field, newest first.
    package func history(
        of field: Field,
        in app: AppSlug,
        _ page: PageOptions = PageOptions()
    ) async throws(AdminError) -> FieldHistoryAnswer {
        try await get(
            "/v1/apps/\(app)/documents/\(field.platform.rawValue)/history",
            [("field", field.path)] + page.query
        )
    }

    /// What is different between two states; on one platform, or on all.
    package func diff(
        of app: AppSlug,
        from: StateName,
        to: StateName,
        on platform: Platform? = nil
    ) async throws(AdminError) -> DiffAnswer {
        let platforms = platform.map { [(name: "platform", value: $0.rawValue)] } ?? []
        return try await get(
            "/v1/apps/\(app)/diff",
            [("from", from.text), ("to", to.text)] + platforms
        )
    }

    package func rollBack(
        _ app: AppSlug,
        _ form: RollbackForm,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> RollbackAnswer {
        try await post(form, to: "/v1/apps/\(app)/rollback", write)
    }
}

/// `/v1/apps/{app}/emergency` and `/v1/apps/{app}/block`, and `/v1/reviews` of what they did.
extension AdminClient {
    package func declareEmergency(
        _ app: AppSlug,
        _ form: EmergencyForm,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> EmergencyAnswer {
        try await post(form, to: "/v1/apps/\(app)/emergency", write)
    }

    package func block(
        _ app: AppSlug,
        _ form: BlockForm,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> EmergencyAnswer {
        try await post(form, to: "/v1/apps/\(app)/block", write)
    }

    /// Open ones, oldest first; of all apps and owners where none is named.
    package func reviews(
        of app: AppSlug? = nil,
        owners: [PrincipalID] = [],
        overdue: Bool? = nil,
        _ page: PageOptions = PageOptions()
    ) async throws(AdminError) -> ReviewList {
        var query = owners.map { (name: "owner", value: $0.text) }
        if let app { query.append(("app", app.text)) }
        if let overdue { query.append(("overdue", String(overdue))) }
        return try await get("/v1/reviews", query + page.query)
    }

    package func review(_ position: Position) async throws(AdminError) -> ReviewAnswer {
        try await get("/v1/reviews/\(position)")
    }

    package func closeReview(
        _ position: Position,
        _ form: ReviewForm,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> ReviewAnswer {
        try await post(form, to: "/v1/reviews/\(position)/close", write)
    }
}

/// `/v1/apps/{app}/freeze`, and `/v1/freeze` where no app is named.
extension AdminClient {
    package func freeze(
        _ app: AppSlug?,
        _ form: FreezeForm,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> FreezeAnswer {
        try await post(form, to: Self.freezePath(app), write)
    }

    package func thaw(
        _ app: AppSlug?,
        _ form: ReasonForm = ReasonForm(),
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) {
        try await delete(Self.freezePath(app), form, write)
    }

    /// What freezes it now, and what is planned to.
    package func freezes(of app: AppSlug?) async throws(AdminError) -> FreezesAnswer {
        try await get(Self.freezePath(app))
    }

    package func planFreeze(
        _ app: AppSlug?,
        _ form: FreezePlanForm,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> FreezePlanAnswer {
        try await post(form, to: Self.freezePath(app) + "/plans", write)
    }

    package func cancelFreezePlan(
        _ plan: Position,
        of app: AppSlug?,
        _ form: ReasonForm = ReasonForm(),
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) {
        try await delete("\(Self.freezePath(app))/plans/\(plan)", form, write)
    }

    private static func freezePath(_ app: AppSlug?) -> String {
        app.map { "/v1/apps/\($0)/freeze" } ?? "/v1/freeze"
    }
}

/// `/v1/apps/{app}/policy`, and `/v1/policy` where no app is named.
extension AdminClient {
    package func policy(
        of app: AppSlug?,
        at moment: DocumentMoment = .live
    ) async throws(AdminError) -> PolicyAnswer {
        try await get(Self.policyPath(app), moment.query)
    }

    /// Puts a policy into force in the place of the one that was seen.
    package func change(
        policyOf app: AppSlug?,
        seen: Position,
        _ form: PolicyForm,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> PolicyAnswer {
        try await put(form, to: Self.policyPath(app), write, ifMatch: seen.description)
    }

    /// Has an app follow the default policy again, in the place of the one that was seen.
    package func reset(
        policyOf app: AppSlug,
        seen: Position,
        _ form: ReasonForm = ReasonForm(),
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) {
        try await delete(Self.policyPath(app), form, write, ifMatch: seen.description)
    }

    private static func policyPath(_ app: AppSlug?) -> String {
        app.map { "/v1/apps/\($0)/policy" } ?? "/v1/policy"
    }
}

/// `/v1/apps/{app}/settings`.
extension AdminClient {
    package func settings(
        of app: AppSlug,
        at moment: DocumentMoment = .live
    ) async throws(AdminError) -> SettingsAnswer {
        try await get("/v1/apps/\(app)/settings", moment.query)
    }

    /// Gives an app other settings in the place of those that were seen.
    package func change(
        settingsOf app: AppSlug,
        seen: Position,
        _ form: SettingsForm,
        _ write: WriteOptions = WriteOptions()
    ) async throws(AdminError) -> SettingsAnswer {
        try await put(form, to: "/v1/apps/\(app)/settings", write, ifMatch: seen.description)
    }
}
