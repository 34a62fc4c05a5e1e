import Foundation
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// Looks at the administration: is it there, is its clock right, does the token live.
struct ServiceCheck {
    let client: AdminClient

    /// Signature dates and expiries are the service's; minutes matter, seconds do not.
    private static let clockDifferenceMaximum: Duration = .seconds(30)
    private static let tokenWarning: Duration = .seconds(7 * 86_400)

    /// Whether it does its work, and why there is nobody to ask further.
    func readiness() async -> (finding: Finding, silence: String?) {
        do throws(AdminError) {
            _ = try await client.call(Endpoints.getReadiness)
            return (.good("service", "\(client.address) is ready"), nil)
        } catch {
            if let problem = error.problem, problem.isReadOnly {
                let remedy =
                    problem.code == .logDamaged
                    ? "Read “A log that somebody else wrote in” in docs/operating/backup.md first; put"
                        + " back the key that is named, or find out who can write to the database."
                    : "Read “Restoring” in docs/operating/backup.md first; restore the right database,"
                        + " or give up what was lost."
                return (.bad("service", error, remedy), nil)
            }
            if error.problem?.status == 503 {
                let remedy =
                    "Once that is mended it goes on by itself: docs/operating/incident.md says how."
                return (.bad("service", error, remedy), "the service is not ready")
            }
            let remedy = "Start it with plimsoll serve, or set PLIMSOLL_URL to where it is."
            return (.bad("service", error, remedy), "the service does not answer")
        }
    }

    func clock(now: Instant) async -> Finding {
        do {
            guard let text = try await client.clock(), let theirs = Instant(httpDate: text) else {
                return .bad("clock", "the service does not say its time", "Update the service.")
            }
            let difference = abs(now.millisecondsSince1970 - theirs.millisecondsSince1970) / 1000
            guard difference <= Self.clockDifferenceMaximum.components.seconds else {
                return .bad(
                    "clock",
                    "this machine and the service are \(difference) s apart",
                    "Let both follow a time server (timedatectl)."
                )
            }
            return .good("clock", "this machine and the service agree")
        } catch {
            return .bad("clock", error, "Look again.")
        }
    }

    /// Throws where the token is not accepted.
    func token(now: Instant) async throws -> Finding {
        let identity = try await client.call(Endpoints.getIdentity)
        let name = identity.name.map { excerpt($0) } ?? identity.principal.text
        if let end = identity.expiresAt, end < now.advanced(by: Self.tokenWarning) {
            return .bad(
                "token",
                "the token of \(name) ends on \(end)",
                "Make a new one of it with plimsoll token renew."
            )
        }
        return .good("token", "you are \(name) with \(identity.roles.names)")
    }
}

/// Looks whether what was ordered last of each app was published, and whether stores and caches
/// have it.
///
/// Phones go on with what they have while it is not, so nothing else shows it.
struct PublicationCheck {
    let client: AdminClient

    /// An order that cannot be published may stand behind what stores and caches did not take.
    private static let failuresMaximum = 20

    func findings(_ apps: [AppAnswer]) async -> [Finding] {
        // Where there is no answer nothing is known of them, and nothing is said of them.
        let gauges = PublicationGauges(metrics: (try? await client.metrics()) ?? "")
        var findings: [Finding] = []
        for app in apps {
            do throws(AdminError) {
                var filter = EventFilter()
                (filter.apps, filter.types) = ([app.slug], ["PublicationFailed"])
                let page = PageOptions(limit: Self.failuresMaximum)
                let failures = try await client.events(filter, page).events
                findings.append(Self.finding(app, failures: failures, gauges))
            } catch {
                findings.append(.bad(Self.name(app), error, "Look again."))
            }
        }
        return findings
    }

    /// Takes the newest failure first.
    static func finding(
        _ app: AppAnswer,
        failures: [EventAnswer],
        _ gauges: PublicationGauges
    ) -> Finding {
        let published = app.sequence?.rawValue ?? 0
        if let failure = failures.first(where: { $0.ordered > published }) {
            return unpublished(
                app,
                "what event \(failure.ordered) ordered is not published",
                failure
            )
        }
        let failure = failures.first { $0.ordered == published }
        // A log that goes on from a backup may have published its newest order, and the export be ahead.
        if gauges.isFailing(app.slug) {
            return unpublished(app, "the newest documents cannot be published", failure)
        }
        if gauges.isFailingElsewhere(app.slug) {
            return .bad(
                name(app),
                "the newest documents are published, and a store or cache does not have them"
                    + (failure.map { ", \($0.circumstances)" } ?? ""),
                "The edge serves them. Mend the cause; the service goes on by itself."
            )
        }
        return .good(name(app), "no order is waiting that could not be published")
    }

    private static func unpublished(
        _ app: AppAnswer,
        _ sentence: String,
        _ failure: EventAnswer?
    ) -> Finding {
        .bad(
            name(app),
            sentence + (failure.map { ", \($0.circumstances)" } ?? ""),
            "Phones keep what they have. Mend the cause; the service goes on by itself."
        )
    }

    private static func name(_ app: AppAnswer) -> String { "publication of \(app.slug)" }
}

extension EventAnswer {
    /// The event whose order could not be published, or was not taken.
    fileprivate var ordered: Int64 { body.data["sequence"]?.integer ?? 0 }

    fileprivate var circumstances: String {
        "since \(recordedAt): \(body.data["cause"]?.string ?? "no cause is told")"
    }
}

/// Looks whether what was done in a hurry was looked at again in time.
struct ReviewCheck {
    let client: AdminClient

    private static let reviewsNamed = 5

    func finding() async -> Finding {
        do throws(AdminError) {
            let overdue = try await client.reviews(overdue: true, PageOptions(limit: 200))
            return Self.finding(overdue: overdue.reviews)
        } catch {
            return .bad("reviews", error, "Look again.")
        }
    }

    /// Takes the oldest first.
    static func finding(overdue reviews: [ReviewAnswer]) -> Finding {
        guard let oldest = reviews.map(\.order.due).min() else {
            return .good("reviews", "none is overdue")
        }
        let named = reviews.prefix(reviewsNamed).map { "\($0.position) of \($0.app)" }
        let rest = reviews.count > reviewsNamed ? " and others" : ""
        return .bad(
            "reviews",
            "overdue since \(oldest): \(named.joined(separator: ", "))\(rest)",
            "Have them closed by somebody else: plimsoll reviews --overdue."
        )
    }
}

/// Says what keeps changes from applying, so that nobody looks for another cause.
enum FreezeCheck {
    static func finding(_ apps: [AppAnswer]) -> Finding {
        let frozen = apps.filter { $0.freeze != nil }.map(\.slug.text)
        var ahead: [Position?: FreezePlanAnswer] = [:]
        for app in apps {
            for plan in app.freezePlans where plan.liesAhead {
                ahead[plan.plan] = plan
            }
        }
        let next = ahead.values.min { $0.window.from < $1.window.from }
        let now = frozen.isEmpty ? "nothing is frozen" : "frozen: \(frozen.joined(separator: ", "))"
        let later = next.map {
            "; \(ahead.count) planned, the next from \($0.window.timeZone.shown($0.window.from))"
        }
        return .good("freezes", now + (later ?? ""))
    }
}

/// Looks at the newest times in the record: a clock that was put forth or back shows there.
struct RecordClockCheck {
    let client: AdminClient

    /// What the writer evens out by itself is no step.
    static let tolerance: Duration = .seconds(5)
    private static let eventsLookedAt = 200

    func finding(now: Instant) async -> Finding {
        do throws(AdminError) {
            let list = try await client.events(
                EventFilter(),
                PageOptions(limit: Self.eventsLookedAt)
            )
            return Self.finding(list.events, now: now)
        } catch {
            return .bad("times", error, "Look again.")
        }
    }

    /// Takes the newest event first.
    static func finding(_ events: [EventAnswer], now: Instant) -> Finding {
        if let newest = events.first, newest.recordedAt > now.advanced(by: tolerance) {
            return .bad(
                "times",
                "event \(newest.position) was recorded at \(newest.recordedAt), and it is \(now)",
                "A clock was put back: let the service's machine follow a time server."
            )
        }
        for (later, earlier) in zip(events, events.dropFirst())
        where later.recordedAt.advanced(by: tolerance) < earlier.recordedAt {
            return .bad(
                "times",
                "the clock stepped back between the events \(earlier.position) and"
                    + " \(later.position)",
                "Let the service's machine follow a time server; --at goes by the latest time so"
                    + " far."
            )
        }
        return .good("times", "the newest \(events.count) events were recorded in order")
    }
}

/// Of which apps the newest documents cannot be published, or a store or cache does not have them, as
/// the instance that publishes shows it in `/metrics`.
struct PublicationGauges {
    private let lines: [Substring]

    init(metrics: String) {
        lines = metrics.split(separator: "\n")
    }

    func isFailing(_ app: AppSlug) -> Bool { isRaised("plimsoll_snapshot_failing", app) }

    func isFailingElsewhere(_ app: AppSlug) -> Bool { isRaised("plimsoll_sink_failing", app) }

    private func isRaised(_ name: String, _ app: AppSlug) -> Bool {
        lines.contains {
            $0.hasPrefix("\(name){") && $0.contains("app=\"\(app)\"") && !$0.hasSuffix(" 0")
        }
    }
}

/// Looks whether what is live has texts in two languages that phones take for one.
struct LanguageCheck {
    let client: AdminClient

    /// One finding that all is well, or one for each document that is not.
    func findings(_ apps: [AppAnswer]) async -> [Finding] {
        var findings: [Finding] = []
        do {
            for app in apps {
                for platform in app.settings.platforms.sorted() where !platform.thresholds.isEmpty {
                    let document = try await client.document(of: app.slug, on: platform).parsed()
                    findings += Self.findings(of: document, of: app.slug)
                }
            }
        } catch {
            return [.bad("languages", error, "Look again.")]
        }
        return findings.isEmpty
            ? [.good("languages", "phones tell those of every document apart")] : findings
    }

    static func findings(of document: Document, of app: AppSlug) -> [Finding] {
        document.languageTwins.map { twins in
            .bad(
                "languages",
                "\(app) on \(document.platform.name) has texts in \(twins), which phones take for one"
                    + " language: \(LanguageTwins.harm)",
                "Remove every text in one of them: plimsoll propose --app \(app) --remove-text"
                    + " \(Self.field(in: document, twins.second))"
            )
        }
    }

    private static func field(in document: Document, _ language: LanguageTag) -> String {
        document.fields.first { $0.language == language }?.path ?? "…"
    }
}

/// Looks whether every key that signs has its private half in the data directory's own `keys`.
struct KeyCopiesCheck {
    let name: String
    let folder: String

    func findings(_ keys: [KeyAnswer]) -> [Finding] {
        let needed = keys.filter { $0.state == .active }
        let missing = needed.filter { !isThere($0) }
        guard missing.isEmpty else {
            return missing.map { key in
                .bad(
                    name,
                    "the private key \(key.id) of \(key.app) is not at \(path(of: key))",
                    "Copy it there from where it is. If it is lost, no phone will ever believe"
                        + " another document of \(key.app)."
                )
            }
        }
        return [.good(name, "\(folder) has the private halves of \(needed.count) keys")]
    }

    /// Of a key that is kept elsewhere, the note that says where has to be there.
    private func isThere(_ key: KeyAnswer) -> Bool {
        ["pem", "place"].contains {
            FileManager.default.fileExists(atPath: "\(folder)/\(key.app)/\(key.id).\($0)")
        }
    }

    private func path(of key: KeyAnswer) -> String {
        "\(folder)/\(key.app)/\(key.id).pem"
    }
}
