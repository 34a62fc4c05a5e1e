import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// The schemas that requests and answers are described with, by name: those of their shapes.
enum Components {
    static let schemas: [(name: String, schema: Schema)] =
        apps + documents + simulations + changes + incidents + access + policies + releases
        + keys + webhooks + records

    private static let apps = [
        ("Problem", problem), named(HealthAnswer.shape), named(Rehearsal.shape),
        named(RegistrationForm.shape), named(AppAnswer.shape), named(AppList.shape),
        named(AppSettings.shape), named(SettingsForm.shape), named(SettingsAnswer.shape),
        named(DefaultAppForm.shape), named(DefaultAppAnswer.shape),
    ]

    private static let documents = [
        named(DocumentAnswer.shape), named(BlameAnswer.shape), named(FieldHistoryAnswer.shape),
        named(DiffAnswer.shape), named(PrinceOfVersionsAnswer.shape),
    ]

    private static let simulations = [
        named(Device.shape), named(SimulationForm.shape), named(SimulationAnswer.shape),
        named(MatrixAnswer.shape), named(DeviceReading.shape), named(DeviceOutlook.shape),
    ]

    private static let changes =
        [
            named(Operation.shape), ("Offer", Schema.offer), ("LegacyOffer", .legacyOffer),
        ] + Schema.operations + [
            named(FieldChange.shape), named(FieldConflict.shape), named(ProposalForm.shape),
            named(ApprovalForm.shape), ("Rejection", MandatoryReasonForm.shape.schema),
            named(CommentForm.shape),
            named(RevisionForm.shape), named(EmptyForm.shape), named(ChangeSummaryAnswer.shape),
            named(ChangeOutcome.Verdict.shape), named(ChangeOutcome.Remark.shape),
            named(ChangeOutcome.Approval.shape), named(MissingApproval.shape),
            named(MissingAnswer.shape), named(PersonAnswer.shape), named(ChangeAnswer.shape),
            named(ChangeList.shape), named(Schedule.shape), named(SchedulingForm.shape),
            named(ScheduleAnswer.shape), named(SuspensionCause.shape), named(ChangeTerm.shape),
            named(CheckFinding.shape), named(CheckAnswer.shape), named(OverrideForm.shape),
        ]

    private static let incidents = [
        ("FreezeOrder", MandatoryReasonForm.shape.schema), ("Thaw", ReasonForm.shape.schema),
        named(FreezeAnswer.shape),
        named(FreezePlanForm.shape), named(FreezePlanAnswer.shape), named(FreezesAnswer.shape),
        named(RollbackForm.shape), named(RollbackAnswer.shape),
        named(RollbackOutlook.SideEffects.shape), named(EmergencyForm.shape),
        named(BlockForm.shape), named(EmergencyAnswer.shape),
        named(EmergencyAnswer.Review.shape), named(ReviewForm.shape),
        named(ReviewAnswer.Verdict.shape), named(ReviewAnswer.shape), named(ReviewList.shape),
    ]

    private static let access = [
        named(RoleGrant.shape), named(TokenForm.shape), named(TokenAnswer.shape),
        named(IssuedTokenAnswer.shape), named(TokenList.shape), named(RenewalForm.shape),
        named(PrincipalAnswer.shape), named(PrincipalStandingAnswer.shape),
        ("SuspensionOrder", MandatoryReasonForm.shape.schema),
        ("Resumption", ReasonForm.shape.schema),
        named(RoleRevocationForm.shape), named(PrincipalList.shape), named(IdentityAnswer.shape),
    ]

    private static let policies = [
        named(Policy.shape), named(PolicyForm.shape), ("PolicyReset", ReasonForm.shape.schema),
        named(PolicyAnswer.shape), named(ApprovalRule.shape), named(ReviewRule.shape),
        named(FactRule.shape), named(CheckRule.shape),
    ]

    private static let releases = [
        named(ReleaseAnswer.shape), named(ReleaseList.shape), named(ReleaseForm.shape),
        named(ReleaseAmendmentForm.shape), ("ReleaseWithdrawal", ReasonForm.shape.schema),
        named(VersionShares.Row.shape), named(VersionSharesAnswer.shape),
        named(VersionSharesForm.shape), ("VersionSharesRemoval", ReasonForm.shape.schema),
        named(BlockedShare.shape),
    ]

    private static let keys = [
        named(KeyAnswer.shape), named(KeyList.shape), named(KeyForm.shape),
        ("KeyTurn", ReasonForm.shape.schema), ("Compromise", MandatoryReasonForm.shape.schema),
    ]

    private static let webhooks = [
        named(WebhookForm.shape), ("WebhookReason", ReasonForm.shape.schema),
        named(ReplayForm.shape), named(WebhookAnswer.shape), named(WebhookList.shape),
        named(SecretWebhookAnswer.shape), named(DeliveryAnswer.shape), named(DeliveryList.shape),
    ]

    private static let records: [(name: String, schema: Schema)] = [
        ("Event", event), named(Difference.shape),
        (
            "EventList",
            .object([
                .required("events", .array(of: .reference("Event"))),
                .required("next", .nullable(.cursor)),
            ])
        ),
        named(SnapshotAnswer.shape), named(SnapshotList.shape),
    ]

    private static func named<Root>(_ shape: Shape<Root>) -> (name: String, schema: Schema) {
        guard let name = shape.name else {
            preconditionFailure("a shape without a name is described where it stands")
        }
        return (name, shape.schema)
    }

    /// Whether a body of this schema may be left out, as an empty object is taken for none.
    static func allowNothing(_ name: String) -> Bool {
        let json = schemas.first { $0.name == name }?.schema.json
        return json?["required"]?.array?.isEmpty ?? false
    }
}

extension Components {
    private static let problem = Schema.object([
        .required("type", .names(ProblemCode.allCases.map(\.type))),
        .required("title", .string),
        .required("status", .integer(from: 400, to: 599)),
        .required("detail", .string),
        .optional("instance", .string),
        .optional("requestId", .string),
        .optional(
            "errors",
            .array(
                of: .object([
                    .required("code", .string), .required("detail", .string),
                    .optional("pointer", .string), .optional("parameter", .string),
                    .optional("header", .string), .optional("remedy", .string),
                ])
            )
        ),
    ])

    private static let event = Schema.object([
        .required("position", .position), .required("id", .uuid),
        .required("type", .names(EventBody.types)), .required("stream", .string),
        .required("revision", .integer(from: 1)), .required("recordedAt", .instant),
        .required("command", .uuid), .required("data", .anyObject),
        .required("actor", .principal), .required("token", .nullable(.uuid)),
        .required("request", .nullable(.string)), .required("correlation", .uuid),
        .required("causation", .nullable(.uuid)),
        .required("reason", .nullable(.reason)), .required("app", .nullable(.slug)),
        .required("change", .nullable(.change)),
        .required("fields", .array(of: .reference("FieldChange"))),
        .required("differences", .array(of: .reference("Difference"))),
        .required("sentence", .string),
    ])
}
