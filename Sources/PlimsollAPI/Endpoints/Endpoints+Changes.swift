package import PlimsollDomain

extension Endpoints {
    static let changes: [any EndpointDeclaration] = [
        proposeChange, listChanges, getChange, approveChange, rejectChange, withdrawChange,
        requestChanges, commentOnChange, reviseChange, applyChange, scheduleChange, overrideCheck,
    ]

    package static let proposeChange = Write<AppSlug, ProposalForm, ChangeAnswer>(
        .post("proposeChange", "/v1/apps/{app}/changes"),
        "Propose operations for approval.",
        status: 201
    )

    package static let listChanges = Read<AppSlug, ChangeList>(
        .get("listChanges", "/v1/apps/{app}/changes"),
        "The changes of an app as they stand or stood, newest first.",
        query: [
            .repeatable("state", .names(ChangeState.self)),
            .repeatable("author", .principal), .repeatable("platform", .platform),
            .optional("needsMe", .boolean),
        ] + .moment + .paging(most: 500)
    )

    package static let getChange = Read<ChangeID, ChangeAnswer>(
        .get("getChange", "/v1/changes/{change}"),
        "A change, its effect on what is live, and where it stands."
    )

    package static let approveChange = Endpoint<ChangeID, SeenChange, ApprovalForm, ChangeAnswer>(
        .post("approveChange", "/v1/changes/{change}/approve"),
        "Approve what was seen; with the last approval it applies, or waits for its time."
    )

    package static let rejectChange = Endpoint<
        ChangeID, SeenChange, MandatoryReasonForm, ChangeAnswer
    >(
        .post("rejectChange", "/v1/changes/{change}/reject"),
        "Reject a change, for good.",
        takes: "Rejection"
    )

    package static let withdrawChange = Endpoint<ChangeID, SeenChange, EmptyForm, ChangeAnswer>(
        .post("withdrawChange", "/v1/changes/{change}/withdraw"),
        "Withdraw a change of yours."
    )

    package static let requestChanges = Endpoint<
        ChangeID, SeenChange, MandatoryReasonForm, ChangeAnswer
    >(
        .post("requestChanges", "/v1/changes/{change}/request-changes"),
        "Ask the author of a change for something else.",
        takes: "Rejection"
    )

    package static let commentOnChange = Write<ChangeID, CommentForm, ChangeAnswer>(
        .post("commentOnChange", "/v1/changes/{change}/comment"),
        "Comment on a change, for all who decide on it."
    )

    package static let reviseChange = Endpoint<ChangeID, SeenChange, RevisionForm, ChangeAnswer>(
        .post("reviseChange", "/v1/changes/{change}/revise"),
        "Put other operations in the place of a change's."
    )

    package static let applyChange = Endpoint<ChangeID, SeenChange, EmptyForm, ChangeAnswer>(
        .post("applyChange", "/v1/changes/{change}/apply"),
        "Apply a change that has its approvals and was kept waiting."
    )

    package static let scheduleChange = Endpoint<
        ChangeID, SeenChange, SchedulingForm, ChangeAnswer
    >(
        .post("scheduleChange", "/v1/changes/{change}/schedule"),
        "Give a change a time of its own, another one, or none; approvals of what it"
            + " was count no more."
    )

    package static let overrideCheck = Endpoint<ChangeID, SeenChange, OverrideForm, ChangeAnswer>(
        .post("overrideCheck", "/v1/changes/{change}/override"),
        "Override a check, with a reason, where the policy lets the caller."
    )
}

extension Endpoints {
    static let incidents: [any EndpointDeclaration] = [
        freezeApp, thawApp, freezeAll, thawAll, getFreeze, getFreezeOfAll, planFreeze,
        planFreezeOfAll, cancelFreezePlan, cancelFreezePlanOfAll, declareEmergency, blockVersion,
        listReviews, getReview, closeReview,
    ]

    package static let freezeApp = Write<AppSlug, MandatoryReasonForm, FreezeAnswer>(
        .post("freezeApp", "/v1/apps/{app}/freeze"),
        "Freeze an app: nothing is applied but rollbacks and emergencies.",
        takes: "FreezeOrder"
    )

    package static let thawApp = Write<AppSlug, ReasonForm, DryRunAnswer>(
        .delete("thawApp", "/v1/apps/{app}/freeze"),
        "Allow changes of an app to be applied again.",
        takes: "Thaw"
    )

    package static let freezeAll = Write<NoNames, MandatoryReasonForm, FreezeAnswer>(
        .post("freezeAll", "/v1/freeze"),
        "Freeze all apps: nothing is applied but rollbacks and emergencies.",
        takes: "FreezeOrder"
    )

    package static let thawAll = Write<NoNames, ReasonForm, DryRunAnswer>(
        .delete("thawAll", "/v1/freeze"),
        "End the freeze of all apps.",
        takes: "Thaw"
    )

    package static let getFreeze = Read<AppSlug, FreezesAnswer>(
        .get("getFreeze", "/v1/apps/{app}/freeze"),
        "What freezes an app now, and what is planned to."
    )

    package static let getFreezeOfAll = Read<NoNames, FreezesAnswer>(
        .get("getFreezeOfAll", "/v1/freeze"),
        "What freezes all apps now, and what is planned to."
    )

    package static let planFreeze = Write<AppSlug, FreezePlanForm, FreezePlanAnswer>(
        .post("planFreeze", "/v1/apps/{app}/freeze/plans"),
        "Plan a freeze of an app ahead."
    )

    package static let planFreezeOfAll = Write<NoNames, FreezePlanForm, FreezePlanAnswer>(
        .post("planFreezeOfAll", "/v1/freeze/plans"),
        "Plan a freeze of all apps ahead."
    )

    package static let cancelFreezePlan = Write<AppPosition, ReasonForm, DryRunAnswer>(
        .delete("cancelFreezePlan", "/v1/apps/{app}/freeze/plans/{position}"),
        "Take back a freeze of an app that is planned; only tried, it says so.",
        takes: "Thaw"
    )

    package static let cancelFreezePlanOfAll = Write<Position, ReasonForm, DryRunAnswer>(
        .delete("cancelFreezePlanOfAll", "/v1/freeze/plans/{position}"),
        "Take back a freeze of all apps that is planned; only tried, it says so.",
        takes: "Thaw"
    )

    package static let declareEmergency = Write<AppSlug, EmergencyForm, EmergencyAnswer>(
        .post("declareEmergency", "/v1/apps/{app}/emergency"),
        "Apply operations at once, by one person, and open a review."
    )

    package static let blockVersion = Write<AppSlug, BlockForm, EmergencyAnswer>(
        .post("blockVersion", "/v1/apps/{app}/block"),
        "Block all versions of an app below one (kill switch), as an emergency."
    )

    package static let listReviews = Read<NoNames, ReviewList>(
        .get("listReviews", "/v1/reviews"),
        "The open reviews of emergency actions, oldest first; or the closed ones, newest first.",
        query: [
            .repeatable("app", .slug), .repeatable("owner", .principal),
            .optional("overdue", .boolean), .optional("closed", .boolean),
        ] + .paging(most: 200)
    )

    package static let getReview = Read<Position, ReviewAnswer>(
        .get("getReview", "/v1/reviews/{position}"),
        "A review, open or closed, by the position of the event that ordered it."
    )

    package static let closeReview = Write<Position, ReviewForm, ReviewAnswer>(
        .post("closeReview", "/v1/reviews/{position}/close"),
        "Close a review; never by whoever acted, nor by somebody they let in."
    )
}
