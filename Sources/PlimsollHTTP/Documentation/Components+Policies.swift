import PlimsollAPI
import PlimsollDomain

/// Policies, and what changes them.
extension Components {
    static let policies: [(String, Schema)] = [
        ("Policy", .object(policy)),
        ("PolicyOrder", .object(policy + [.optional("reason", .reason)])),
        ("PolicyReset", .object([.optional("reason", .reason)])),
        ("PolicyInForce", .object(inForce + tried)),
        ("ApprovalRule", rule),
        ("ReviewRule", review),
        (
            "ReleaseRule",
            .object([
                .required("roles", .array(of: .role, atLeast: 1)),
                .optional("people", .array(of: .principal)),
            ])
        ),
        (
            "CheckRule",
            .object([
                .required("severity", .names(CheckRule.Severity.self)),
                .optional("overridableBy", .role),
            ])
        ),
    ]

    /// So many approvals, of people in this role, or of some of them.
    static let requirement: [Schema.Member] = [
        .required("count", .integer(from: 1, to: Int64(ApprovalRequirement.countMaximum))),
        .required("role", .role), .optional("people", .array(of: .principal)),
    ]

    private static let seconds = Schema.integer(from: 60, to: ChangePolicy.secondsMaximum)

    private static let rule = Schema.object([
        .required("approvals", .array(of: .object(requirement))),
        .optional("validSeconds", seconds),
    ])

    private static let review = Schema.object([
        .required("role", .role), .required("withinSeconds", seconds),
    ])

    private static let policy: [Schema.Member] = [
        .required(
            "rules",
            .object(
                ChangeKind.allCases.map { .optional($0.rawValue, .reference("ApprovalRule")) }
            )
        ),
        .optional("emergencyReview", .reference("ReviewRule")),
        .optional("rollbackReview", .reference("ReviewRule")),
        .optional("graceSeconds", .integer(from: 0, to: ChangePolicy.secondsMaximum)),
        .optional("storeSeconds", .integer(from: 0, to: ChangePolicy.secondsMaximum)),
        .optional("blockedPercentMaximum", .integer(from: 0, to: 100)),
        .optional("releases", .reference("ReleaseRule")),
        .optional("shares", .reference("ReleaseRule")),
        .optional(
            "checks",
            .object(CheckName.allCases.map { .optional($0.rawValue, .reference("CheckRule")) })
        ),
    ]

    private static let inForce: [Schema.Member] = [
        .required("app", .nullable(.slug)),
        .required("source", .names(PolicyAnswer.Source.self)),
        .required("position", .nullable(.position)), .required("by", .nullable(.principal)),
        .required("since", .nullable(.instant)), .required("reason", .nullable(.reason)),
        .required("policy", .reference("Policy")),
        .required("sentences", .array(of: .string)), .required("warnings", .array(of: .string)),
    ]
}
