import PlimsollAPI
import PlimsollAdmin
import PlimsollDomain
import PlimsollJSON

/// Looks whether what was ordered last of each app was published.
///
/// Phones go on with what they have while it is not, so nothing else shows it.
struct PublicationCheck {
    let client: AdminClient

    func findings(_ apps: [AppAnswer]) async -> [Finding] {
        var findings: [Finding] = []
        for app in apps {
            do throws(AdminError) {
                var filter = EventFilter()
                (filter.apps, filter.types) = ([app.slug], ["PublicationFailed"])
                let failures = try await client.events(filter, PageOptions(limit: 1)).events
                findings.append(Self.finding(app, lastFailure: failures.first))
            } catch {
                let unseen = Finding.good(Self.name(app), "only an auditor can have it looked at")
                let away = Finding.bad(Self.name(app), error, "Look again.")
                findings.append(error.status == 403 ? unseen : away)
            }
        }
        return findings
    }

    static func finding(_ app: AppAnswer, lastFailure: EventAnswer?) -> Finding {
        if let failure = lastFailure,
            let ordered = failure.body.data["sequence"]?.integer,
            ordered > (app.sequence?.rawValue ?? 0)
        {
            return .bad(
                name(app),
                "what event \(ordered) ordered is not published, since \(failure.recordedAt):"
                    + " \(failure.body.data["cause"]?.string ?? "no cause is told")",
                "Phones keep what they have. Mend the cause; the service goes on by itself."
            )
        }
        return .good(name(app), "no order is waiting that could not be published")
    }

    private static func name(_ app: AppAnswer) -> String { "publication of \(app.slug)" }
}
