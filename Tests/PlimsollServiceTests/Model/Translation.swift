import FoundationEssentials
import PlimsollDomain
import PlimsollStore
import PlimsollTestSupport
import PlimsollService
import Testing

/// What the acts of the model are in the service's own words.
struct Translation {
    private let people: [PrincipalID]
    let start: Instant

    init(people count: Int, start: Instant) {
        people = (0..<count).map { _ in PrincipalID(UUID()) }
        self.start = start
    }

    func principal(_ person: RuleModel.Person) -> PrincipalID { people[person] }

    func instant(_ time: RuleModel.Time) -> Instant { start.advanced(by: .milliseconds(time)) }

    func time(_ instant: Instant) -> RuleModel.Time {
        instant.millisecondsSince1970 - start.millisecondsSince1970
    }

    static let thresholds: [ThresholdName] = [.minimumApp, .minimumOS, .recommendedApp]

    func operations(_ edits: [RuleModel.Edit]) throws -> [PlimsollDomain.Operation] {
        try edits.flatMap { edit -> [PlimsollDomain.Operation] in
            switch edit {
            case .set(let threshold, let number):
                let name = Self.thresholds[threshold]
                return [
                    Operation(.ios, name, .setValue(dotted("\(number)"))),
                    Operation(.ios, name, .setText(.title, tag("en"), try text("Title \(number)"))),
                    Operation(
                        .ios,
                        name,
                        .setText(.description, tag("en"), try text("Update to \(number)."))
                    ),
                ]
            case .say(let threshold, let words):
                let text = try text(words)
                return [
                    Operation(
                        .ios,
                        Self.thresholds[threshold],
                        .setText(.description, tag("en"), text)
                    )
                ]
            case .clear(let threshold):
                return [Operation(.ios, Self.thresholds[threshold], .clearThreshold)]
            }
        }
    }

    func schedule(_ plan: RuleModel.Plan?) -> Schedule? {
        plan.map {
            Schedule(at: $0.at.map(instant), until: $0.until.map(instant), timeZone: .utc)
        }
    }

    func policy(_ charter: RuleModel.Charter) -> Policy {
        Policy(
            rules: charter.rules.mapValues { rule in
                ApprovalRule(
                    requirements: rule.needs.map { need in
                        ApprovalRequirement(
                            need.count,
                            of: need.role,
                            people: need.people.map(principal)
                        )
                    },
                    validSeconds: rule.validFor.map { $0 / 1000 }
                )
            },
            rollbackReview: charter.rollbackReviewer.map {
                ReviewRule(role: $0, withinSeconds: 3600)
            },
            graceSeconds: charter.grace / 1000
        )
    }

    func grants(_ grants: Set<RuleModel.Grant>) -> [RoleGrant] {
        grants.map { RoleGrant($0.role, in: $0.isEverywhere ? .all : .app(harbour)) }
            .sorted { "\($0)" < "\($1)" }
    }

    /// The document as the model has it.
    func sheet(_ app: App) -> RuleModel.Sheet {
        var sheet: RuleModel.Sheet = [:]
        for (index, name) in Self.thresholds.enumerated() {
            let threshold = app.document(.ios)[name]
            sheet[.init(threshold: index, part: .value)] = threshold.value?.description
            sheet[.init(threshold: index, part: .title)] = threshold.texts(.title)[tag("en")]?.text
            sheet[.init(threshold: index, part: .description)] =
                threshold.texts(.description)[tag("en")]?.text
        }
        return sheet
    }
}
