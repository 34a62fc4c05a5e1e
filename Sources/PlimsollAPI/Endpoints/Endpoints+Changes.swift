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
