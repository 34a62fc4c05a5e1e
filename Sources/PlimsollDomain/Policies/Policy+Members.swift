extension Policy {
    // 2: `checks`; 3: `storeSeconds` and `blockedPercentMaximum`.
    // 4: rules for `offers`; 5: `releases`; 6: `shares`.
    // 7: `signedBy` of requirements.
    static let shape = 7
}

extension Members<Policy> {
    /// What later shapes added is as usual in earlier ones.
    static let policy = Members(
        Policy.init,
        Part(\.rules, "rules", .table(.name, of: .object(.approvalRule))),
        Part(\.emergencyReview, "emergencyReview", .object(.reviewRule)),
        Part(\.rollbackReview, .optional("rollbackReview", .object(.reviewRule))),
        Part(\.graceSeconds, "graceSeconds", .number),
        Part(\.checks, .unlessEmpty("checks", .table(.name, of: .object(.checkRule)), [:])),
        Part(
            \.storeSeconds,
            Members<_>("storeSeconds", .number, usual: Policy.storeSecondsUsual)
        ),
        Part(\.blockedPercentMaximum, .optional("blockedPercentMaximum", .number)),
        Part(\.releases, Members<_>("releases", .object(.factRule), usual: .usual)),
        Part(\.shares, Members<_>("shares", .object(.factRule), usual: .usual))
    )
}

extension Members<ApprovalRule> {
    static let approvalRule = Members(
        ApprovalRule.init,
        Part(\.requirements, "approvals", .list(of: .object(.requirement))),
        Part(\.validSeconds, .optional("validSeconds", .number))
    )
}

extension Members<ApprovalRequirement> {
    static let requirement = Members(
        ApprovalRequirement.init(_:of:people:signedBy:),
        Part(\.count, "count", Coding(number: { Int(exactly: $0) }, { Int64($0) })),
        Part(\.role, "role", .name),
        Part(\.people, "people", .list(of: .principal)),
        Part(\.signedBy, .optional("signedBy", .name))
    )
}

extension Members<CheckRule> {
    static let checkRule = Members(
        CheckRule.init,
        Part(\.severity, "severity", .name),
        Part(\.overridableBy, .optional("overridableBy", .name))
    )
}

extension Members<FactRule> {
    static let factRule = Members(
        FactRule.init,
        Part(\.roles, "roles", .list(of: .name)),
        Part(\.people, "people", .list(of: .principal))
    )
}

extension Members<ReviewRule> {
    static let reviewRule = Members(
        ReviewRule.init,
        Part(\.role, "role", .name),
        Part(\.withinSeconds, "withinSeconds", .number)
    )
}
