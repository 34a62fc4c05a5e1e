import Foundation
import PlimsollAPI
import PlimsollDomain
import PlimsollTestSupport
import Testing

@testable import PlimsollConsole

/// What policies ask for, and what parts of things are called, in the other languages.
@Suite struct ClauseTests {
    private let others = Language.all.dropFirst()
    private let early = Instant(millisecondsSince1970: 1_700_000_000_000)
    private let late = Instant(millisecondsSince1970: 1_800_000_000_000)

    // Method: a policy for each way of saying something, of every kind of change and every check.
    @Test func `every language says whatever a policy asks for`() {
        for policy in policies {
            for clause in policy.clauses() {
                expectTold(clause.subject)
                expectTold(clause.predicate)
            }
        }
    }

    private var requirements: [ApprovalRequirement] {
        Role.allCases.flatMap { role in
            [1, 2].flatMap { count in
                [[], [alice], [alice, bob]].flatMap { people in
                    [nil, .person].map { signer in
                        ApprovalRequirement(count, of: role, people: people, signedBy: signer)
                    }
                }
            }
        }
    }

    private var rules: [ApprovalRule] {
        let spans: [Int64?] = [nil, 90, 60, 120, 3600, 7200, 86_400, 172_800]
        let lists = [[]] + (1...4).map { Array(requirements.reversed().prefix($0)) }
        return spans.flatMap { span in
            lists.map { ApprovalRule(requirements: $0, validSeconds: span) }
        } + requirements.map { ApprovalRule(requirements: [$0]) }
    }

    private var factRules: [FactRule] {
        (1...3).flatMap { count in
            [[], [alice, bob]].map {
                FactRule(roles: Array(Role.allCases.prefix(count)), people: $0)
            }
        }
    }

    private var policies: [Policy] {
        let severities = CheckRule.Severity.allCases.flatMap { severity in
            ([nil] + Role.allCases).map { CheckRule(severity, overridableBy: $0) }
        }
        return (0..<max(rules.count, severities.count)).map { number in
            let (rule, fact) = (rules[number % rules.count], factRules[number % factRules.count])
            let check = severities[number % severities.count]
            let review = ReviewRule(role: .approver, withinSeconds: Int64(number + 1) * 60)
            return Policy(
                rules: Dictionary(uniqueKeysWithValues: ChangeKind.allCases.map { ($0, rule) }),
                emergencyReview: review,
                rollbackReview: number.isMultiple(of: 2) ? nil : review,
                graceSeconds: Int64(number % 3) * 60,
                checks: Dictionary(uniqueKeysWithValues: CheckName.allCases.map { ($0, check) }),
                storeSeconds: Int64(number % 2) * 3600,
                blockedPercentMaximum: number.isMultiple(of: 2) ? nil : Int64(number % 100),
                releases: fact,
                shares: fact
            )
        }
    }

    @Test func `what nobody can give is told in every language`() throws {
        let requirements = requirements
        let gaps: [PolicyGap] =
            requirements.map { .approvals([.raiseMinimum], $0, have: 0) }
            + requirements.filter { $0.count > 1 }.map {
                .approvals([.text, .offers], $0, have: 1)
            }
            + CheckName.allCases.map { .override($0, .approver) }
            + Role.allCases.map { .review($0) }
            + factRules.flatMap { [.releases($0), .shares($0)] }
        for gap in gaps { expectTold(gap.sentence()) }
        let declared = try Self.source("Policies/Policy.swift").split(separator: "enum PolicyGap")
        let cases = try #require(declared.last).prefix { $0 != "}" }.matches(
            of: /\n    case ([a-z]+)/
        )
        let names = Set(cases.map { String($0.output.1) })
        #expect(names == Set(gaps.map { String("\($0)".prefix { $0 != "(" }) }))
    }

    @Test func `every language says why an approval does not count`() throws {
        let reason = try Reason(validating: "left us, on 1 May: bob")
        for cause in ApprovalVoid.Cause.allCases {
            expectTold(ApprovalVoid(cause).sentence())
            for reason in [nil, reason] {
                let lapse = ApprovalVoid.Lapse(by: bob, at: late, reason: reason)
                expectTold(ApprovalVoid(cause, lapse).sentence())
            }
        }
    }

    @Test func `every language has a word for each setting`() throws {
        for part in try settings().told { expectTold(part.subject) }
    }

    // Goal: what stands behind a colon is told as well. Method: an event of each type that replaces
    // something, and what it replaces.
    @Test func `what an event changed is told in every language`() throws {
        for (recorded, predecessor) in try replacements() {
            let event = EventAnswer(recorded, replacing: predecessor)
            #expect(!event.differences.isEmpty, "\(event.sentence)")
            for difference in event.differences { expectTold(difference.subject) }
            for language in others {
                let told = event.sentence(language, Names([:]))
                #expect(!told.contains("unset") && told != event.sentence, "\(told)")
                guard event.sentence.hasSuffix(event.differences.tail) else { continue }
                for difference in event.differences {
                    let subject = try #require(language.translations(.clause, difference.subject))
                    #expect(told.contains(subject), "\(told)")
                }
            }
        }
    }

    private func replacements() throws -> [(RecordedEvent, Predecessor?)] {
        let (release, facts) = (
            Release(platform: .ios, version: dotted("3.2.0"), facts: ReleaseFacts()),
            ReleaseFacts(
                name: VersionName("3.2.0"),
                build: try Label(validating: "412; a → b"),
                system: dotted("15.0"),
                store: try Label(validating: "App Store"),
                liveSince: early
            )
        )
        let known = Release(platform: .ios, version: release.version, facts: facts)
        let shares = VersionShares(rows: [
            .init(app: dotted("3.0"), system: dotted("15.4"), devices: 30),
            .init(app: dotted("3.1"), system: nil, devices: 30),
        ])
        let other = try settings([.ios], ["en", "de"], profile: .minimal)
        return [
            (recorded(.app(.appSettingsChanged(other))), .settings(harbourSettings)),
            (recorded(.app(.policyChanged(nil))), .policy(policies[1], then: .builtIn)),
            (recorded(.app(.releaseAmended(known))), .release(release)),
            (recorded(.app(.versionSharesReplaced(.ios, shares))), nil),
            (recorded(.app(.freeze(.started))), nil),
            (recorded(.service(.defaultAppChosen(harbour)), in: .service), nil),
        ]
    }

    private func recorded(_ event: Event, in stream: StreamName = .app(harbour)) -> RecordedEvent {
        recordedEvent(event, in: stream, at: late, Position(7))
    }

    @Test func `names are no words, and stay as they were written`() throws {
        let german = try #require(Language.all.first { $0.tag == "de" })
        let wording = Wording(language: german, names: Names([:]))
        let difference = Difference(
            member: "name",
            subject: "name",
            before: "needs nobody's approval",
            after: "a → b; c"
        )
        #expect(
            wording.sentence(of: difference, isOfPolicy: false)
                == "Name needs nobody's approval → a → b; c"
        )
    }

    /// In other words than English, and with all that is no word.
    private func expectTold(_ clause: String) {
        for language in others {
            let told = language.translations(.clause, clause)
            #expect(told != nil && told != clause, "\(language.tag) has no words for: \(clause)")
            #expect(told?.contains(TranslationsTests.englishWord) != true, "\(told ?? "")")
            for fact in clause.matches(of: /[0-9][0-9a-zA-Z.:-]*[0-9a-z]|[0-9]/) {
                #expect(told?.contains(fact.output) == true, "\(language.tag): \(clause)")
            }
        }
    }

    private static func source(_ path: String) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return try String(
            contentsOf: root.appending(path: "Sources/PlimsollDomain/\(path)"),
            encoding: .utf8
        )
    }
}
