import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// Looks whether what was ordered last of each app was published, and whether stores and caches
/// have it.
///
/// Phones go on with what they have while it is not, so nothing else shows it.
struct PublicationCheck {
    let client: AdminClient

    /// An order that cannot be published may stand behind what stores and caches did not take.
    private static let failuresMaximum = 20

    func findings(_ apps: [AppAnswer]) async -> [Finding] {
        // Where there is no answer nothing is known of the sinks, and nothing is said of them.
        let sinks = SinkGauge(metrics: (try? await client.metrics()) ?? "")
        var findings: [Finding] = []
        for app in apps {
            do throws(AdminError) {
                var filter = EventFilter()
                (filter.apps, filter.types) = ([app.slug], ["PublicationFailed"])
                let page = PageOptions(limit: Self.failuresMaximum)
                let failures = try await client.events(filter, page).events
                findings.append(Self.finding(app, failures: failures, sinks))
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
        _ sinks: SinkGauge
    ) -> Finding {
        let published = app.sequence?.rawValue ?? 0
        if let failure = failures.first(where: { $0.ordered > published }) {
            return .bad(
                name(app),
                "what event \(failure.ordered) ordered is not published, \(failure.circumstances)",
                "Phones keep what they have. Mend the cause; the service goes on by itself."
            )
        }
        if sinks.isFailing(for: app.slug) {
            let failure = failures.first { $0.ordered == published }
            return .bad(
                name(app),
                "the newest documents are published, and a store or cache does not have them"
                    + (failure.map { ", \($0.circumstances)" } ?? ""),
                "The edge serves them. Mend the cause; the service goes on by itself."
            )
        }
        return .good(name(app), "no order is waiting that could not be published")
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
