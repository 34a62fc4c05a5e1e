import PlimsollAPI
import PlimsollAdmin
import PlimsollDocuments
import PlimsollDomain

/// Looks at what phones are served: is it signed, and is it what is live.
struct EdgeCheck {
    let client: AdminClient
    let edge: PublicEdge

    func findings(_ apps: [AppAnswer], _ keys: [KeyAnswer]) async -> [Finding] {
        let keys = TrustedKeys(keys)
        var findings: [Finding] = []
        for app in apps {
            for platform in app.documentPlatforms {
                findings.append(await finding(app, platform, keys))
            }
        }
        return findings
    }

    private func finding(
        _ app: AppAnswer,
        _ platform: Platform,
        _ keys: TrustedKeys
    ) async -> Finding {
        let name = "\(app.slug) on \(platform.name)"
        do {
            guard app.sequence != nil else {
                return .bad(
                    name,
                    "nothing was published yet",
                    "Look again in a second; then at the service's log for why it does not export."
                )
            }
            let served = try await edge.document(of: app.slug, on: platform)
            let verified = try served.signature().verify(served.body, keys: keys).get()
            let availability = try AvailabilityDocument(
                parsing: verified.body,
                platform: platform,
                profile: .minimal
            )
            return try await compare(availability, app, name)
        } catch let refusal as VerificationRefusal {
            return .bad(name, refusal.description, "Look for what stands between it and phones.")
        } catch {
            return .bad(name, error, "Set PLIMSOLL_PUBLIC_URL to where phones are served.")
        }
    }

    private func compare(
        _ availability: AvailabilityDocument,
        _ app: AppAnswer,
        _ name: String
    ) async throws -> Finding {
        guard let stamp = availability.stamp, stamp.app == app.slug else {
            return .bad(name, "phones are served another app's document", "Look at the edge.")
        }
        if stamp.issue.isExpired(at: .now) {
            return .bad(
                name,
                "what phones are served expired on \(stamp.issue.expiresAt)",
                "Look whether the service runs and exports; its log says why not."
            )
        }
        let platform = availability.document.platform
        let live = try await client.document(of: app.slug, on: platform).parsed()
        let difference = availability.document.changes(to: live)
        guard difference.isEmpty else {
            return .bad(
                name,
                "phones do not see yet: " + difference.map(\.sentence).joined(separator: "; "),
                "Look again in a second; then look at the service's log for PublicationFailed."
            )
        }
        return .good(name, "phones are served what is live, as of event \(stamp.issue.position)")
    }
}
