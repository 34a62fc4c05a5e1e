import FoundationEssentials
import PlimsollDomain
import PlimsollStore
import PlimsollTestSupport

/// The events of policies, schedules, freezes and reviews, as the golden files hold them.
enum PolicySamples {
    /// With all that shape 7 has.
    static let policy = sample(
        checks,
        storeSeconds: 3600,
        blockedPercentMaximum: 10,
        rules: offers.merging(signed) { $1 },
        releases: FactRule(roles: [.responder, .admin], people: [person]),
        shares: FactRule(roles: [.auditor], people: [person])
    )

    private static let offers: [ChangeKind: ApprovalRule] = [
        .offers: ApprovalRule(requirements: [ApprovalRequirement(1, of: .approver)])
    ]

    private static let signed: [ChangeKind: ApprovalRule] = [
        .lowerMinimum: ApprovalRule(
            requirements: [ApprovalRequirement(1, of: .approver, signedBy: .person)]
        )
    ]

    /// What changes a policy, as a shape has it.
    static func change(_ type: EventType, shape: Int) -> (StreamName, Event) {
        let policy = policy(shape: shape)
        return type == .policyChanged
            ? (.app(harbour), .app(.policyChanged(policy)))
            : (.service, .service(.defaultPolicyChanged(policy)))
    }

    private static func policy(shape: Int) -> Policy {
        switch shape {
        case 1: sample([:])
        case 2: sample(checks)
        case 3: sample(checks, storeSeconds: 3600, blockedPercentMaximum: 10)
        case 4: sample(checks, storeSeconds: 3600, blockedPercentMaximum: 10, rules: offers)
        case 5:
            sample(
                checks,
                storeSeconds: 3600,
                blockedPercentMaximum: 10,
                rules: offers,
                releases: FactRule(roles: [.responder, .admin], people: [person])
            )
        case 6:
            sample(
                checks,
                storeSeconds: 3600,
                blockedPercentMaximum: 10,
                rules: offers,
                releases: FactRule(roles: [.responder, .admin], people: [person]),
                shares: FactRule(roles: [.auditor], people: [person])
            )
        default: policy
        }
    }

    private static let checks: [CheckName: CheckRule] = [
        .textsEqual: CheckRule(.refuse, overridableBy: .approver),
        .placeholderLeft: CheckRule(.refuse), .textLong: CheckRule(.warn),
    ]

    private static func sample(
        _ checks: [CheckName: CheckRule],
        storeSeconds: Int64 = Policy.storeSecondsUsual,
        blockedPercentMaximum: Int64? = nil,
        rules: [ChangeKind: ApprovalRule] = [:],
        releases: FactRule = .usual,
        shares: FactRule = .usual
    ) -> Policy {
        Policy(
            rules: [
                .raiseMinimum: ApprovalRule(
                    requirements: [
                        ApprovalRequirement(2, of: .approver),
                        ApprovalRequirement(1, of: .responder, people: [person]),
                    ],
                    validSeconds: 86_400
                ),
                .text: ApprovalRule(requirements: []),
            ].merging(rules) { $1 },
            emergencyReview: ReviewRule(role: .approver, withinSeconds: 86_400),
            rollbackReview: ReviewRule(role: .admin, withinSeconds: 3600),
            graceSeconds: 900,
            checks: checks,
            storeSeconds: storeSeconds,
            blockedPercentMaximum: blockedPercentMaximum,
            releases: releases,
            shares: shares
        )
    }

    static func appEvent(_ type: EventType) throws -> AppEvent {
        switch type {
        case .freezeStarted, .freezeEnded, .freezePlanned, .freezePlanCancelled,
            .plannedFreezeStarted, .plannedFreezeEnded:
            .freeze(freeze(type))
        case .rollbackReviewOrdered: .rollbackReviewOrdered(order)
        case .rollbackReviewed:
            .rollbackReviewed(Position(41), ReviewVerdict(.objected, comment: nil))
        default: preconditionFailure("\(type) has no sample here")
        }
    }

    static func freeze(_ type: EventType) -> FreezeEvent {
        switch type {
        case .freezeStarted, .serviceFreezeStarted: .started
        case .freezeEnded, .serviceFreezeEnded: .ended
        case .freezePlanned, .serviceFreezePlanned:
            .planned(
                FreezeWindow(
                    from: EventSamples.instant("2026-12-23T18:00:00.000Z"),
                    until: EventSamples.instant("2027-01-02T09:00:00.000Z"),
                    timeZone: zone("Europe/London")
                )
            )
        case .freezePlanCancelled, .serviceFreezePlanCancelled: .planCancelled(Position(5))
        case .plannedFreezeStarted, .servicePlannedFreezeStarted: .planStarted(Position(5))
        case .plannedFreezeEnded, .servicePlannedFreezeEnded: .planEnded(Position(5))
        default: preconditionFailure("\(type) is no freeze")
        }
    }

    static func changeEvent(_ type: EventType) throws -> ChangeEvent {
        switch type {
        case .changeRevised:
            .changeRevised(title: try Title(validating: "Recommend 3.9.0"), base: Position(44))
        case .changeScheduled: .changeScheduled(schedule)
        case .changeCommented: .changeCommented(try Reason(validating: "In the store yet?"))
        case .changesRequested: .changesRequested(digest: EventSamples.digest("d"))
        case .checkOverridden: .checkOverridden(.textsEqual, digest: EventSamples.digest("e"))
        case .changeSourced:
            .changeSourced(
                try Title(validating: "github.com/acme/app:availability-ios.json")
            )
        case .changeSuperseded: .changeSuperseded(by: PlimsollTestSupport.change(18))
        case .changeOvertaken: .changeOvertaken(by: PlimsollTestSupport.change(18))
        case .changeSuspended: .changeSuspended(.missed)
        case .changeEnded: .changeEnded(app: harbour)
        case .emergencyApplied:
            .emergencyApplied(
                Emergency(incident: try Title(validating: "INC-731"), review: order)
            )
        case .emergencyReviewed:
            .emergencyReviewed(
                Position(41),
                ReviewVerdict(.confirmed, comment: try Reason(validating: "It was right."))
            )
        default: preconditionFailure("\(type) has no sample here")
        }
    }

    private static let person = PrincipalID(EventSamples.uuid(7))

    private static let order = ReviewOrder(
        owner: person,
        role: .approver,
        due: EventSamples.instant("2026-11-22T08:00:00.123Z")
    )

    private static let schedule = Schedule(
        at: EventSamples.instant("2027-01-31T09:00:00.000Z"),
        until: EventSamples.instant("2027-02-07T09:00:00.000Z"),
        timeZone: zone("Europe/London")
    )

    private static func zone(_ text: String) -> TimeZoneName {
        guard let zone = TimeZoneName(text) else { preconditionFailure("\(text) is no zone") }
        return zone
    }
}
