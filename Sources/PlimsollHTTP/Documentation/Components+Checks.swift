import PlimsollAPI
import PlimsollDomain

/// What looks like a mistake, and who may say that it is none.
extension Components {
    static let checks: [(name: String, schema: Schema)] = [
        ("CheckFinding", .object(finding)),
        (
            "Check",
            .object(
                finding + [
                    .required("severity", .names(CheckRule.Severity.self)),
                    .required("overridableBy", .nullable(.role)),
                    .required("overriddenBy", .nullable(.principal)),
                ]
            )
        ),
        (
            "Override",
            .object([
                .required("check", .names(CheckName.self)), .required("reason", .reason),
            ])
        ),
    ]

    private static let finding: [Schema.Member] = [
        .required("check", .names(CheckName.self)), .required("field", .field),
        .required("sentence", .string),
    ]
}
