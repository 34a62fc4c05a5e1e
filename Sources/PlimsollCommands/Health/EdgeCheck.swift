import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain

/// Looks at one edge, or at a cache before it: does it answer, how far has it come, and is what
/// phones get there signed and live.
struct EdgeCheck {
    let client: AdminClient
    let edge: PublicEdge
    /// How long an edge may take to fetch what was just published: it looks every five seconds.
    var patience = Duration.seconds(12)

    private static let pause = Duration.seconds(1)

    private var name: String { "edge \(edge.address)" }

    func findings(_ apps: [AppAnswer], _ keys: [KeyAnswer]) async -> [Finding] {
        if let dead = await dead() { return [dead] }
        let keys = TrustedKeys(keys)
        var findings: [Finding] = []
        for app in apps {
            findings.append(await progress(app, keys))
            for platform in app.documentPlatforms {
                findings.append(await document(app, platform, keys))
            }
        }
        return findings.isEmpty
            ? [.unchecked(name, "it answers, and there is no app yet that it could serve")]
            : findings
    }

    /// Without a service nobody can say what the edge should serve; whether it answers can be seen.
    func findingAlone() async -> Finding {
        await dead()
            ?? .unchecked(
                name,
                "it answers; whether what it serves is the newest is not known, since the service"
                    + " does not say what is"
            )
    }

    /// Any answer at all is a sign of life.
    private func dead() async -> Finding? {
        do {
            _ = try await edge.transport.send(WebRequest(.get, edge.address.url("/")))
            return nil
        } catch {
            return .bad(
                name,
                Finding.bad(name, error, "").detail,
                "Start it, or mend what stands before it; phones keep what they have meanwhile."
                    + " PLIMSOLL_PUBLIC_URL and --edge say where edges are."
            )
        }
    }
}

// MARK: - How far it has come

extension EdgeCheck {
    /// Compares the number of the snapshot there with that of the newest publication.
    private func progress(_ app: AppAnswer, _ keys: TrustedKeys) async -> Finding {
        let end = ContinuousClock.now + patience
        while true {
            let finding: Finding
            do {
                finding = try await look(app, keys)
            } catch {
                finding = .bad(name, error, Self.remedy)
            }
            guard finding.result == .bad, .now < end else { return finding }
            do {
                try await ContinuousClock().sleep(for: Self.pause)
            } catch {
                return finding
            }
        }
    }

    private func look(_ known: AppAnswer, _ keys: TrustedKeys) async throws -> Finding {
        let app = known.slug
        guard let published = try await client.call(Endpoints.getApp, app).sequence else {
            return .unchecked(name, "nothing of \(app) was published yet")
        }
        let issue: SnapshotIssue
        do {
            issue = try await edge.manifest(of: app, trusting: keys).manifest.issue
        } catch let refusal as VerificationRefusal {
            return .bad(name, "\(app): \(refusal.description)", Self.remedy)
        }
        let served =
            "\(app): it serves sequence \(issue.sequence), ordered \(age(of: issue)) ago"
        if issue.sequence > published {
            return .bad(
                name,
                "\(served), and the log published only \(published)",
                "The log may be an old backup: see docs/operating/backup.md before anything else."
            )
        }
        guard issue.sequence == published else {
            return .bad(name, "\(served); published is \(published)", Self.remedy)
        }
        guard !issue.isExpired(at: .now) else {
            return .bad(
                name,
                "\(served), which expired on \(issue.expiresAt)",
                "Look whether the service runs and exports; its log says why not."
            )
        }
        return .good(name, "\(served), as published")
    }

    private static let remedy =
        "Look in that edge's log for what it refuses, and whether it reaches its --from; its"
        + " --keys need the app's keys. Restart it where it hangs."

    private func age(of issue: SnapshotIssue) -> String {
        let seconds =
            max(0, Instant.now.millisecondsSince1970 - issue.issuedAt.millisecondsSince1970) / 1000
        let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60)
        if days > 0 { return "\(days) d \(hours) h" }
        if hours > 0 { return "\(hours) h \(minutes) min" }
        return minutes > 0 ? "\(minutes) min" : "\(seconds) s"
    }
}

// MARK: - What phones get

extension EdgeCheck {
    private func document(
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
            let served = try await edge.document("availability-\(platform.rawValue)", of: app.slug)
            let verified = try served.signature().verify(served.body, keys: keys)
            let availability = try AvailabilityDocument(
                parsing: verified.body,
                platform: platform,
                profile: .minimal
            )
            return try await compare(availability, app, name)
        } catch let refusal as VerificationRefusal {
            return .bad(
                name,
                "\(edge.address): \(refusal.description)",
                "Look for what stands between it and phones."
            )
        } catch {
            return .bad(name, error, "Set PLIMSOLL_PUBLIC_URL to where phones are served.")
        }
    }

    private func compare(
        _ availability: AvailabilityDocument,
        _ app: AppAnswer,
        _ name: String
    ) async throws -> Finding {
        let place = "at \(edge.address)"
        guard let stamp = availability.stamp, stamp.app == app.slug else {
            return .bad(name, "phones get another app's document \(place)", "Look at the edge.")
        }
        if stamp.issue.isExpired(at: .now) {
            return .bad(
                name,
                "what phones get \(place) expired on \(stamp.issue.expiresAt)",
                "Look whether the service runs and exports; its log says why not."
            )
        }
        let platform = availability.document.platform
        let live = try await client.document(of: app.slug, on: platform).parsed()
        let difference = availability.document.changes(to: live)
        guard difference.isEmpty else {
            return .bad(
                name,
                "phones do not see yet \(place): "
                    + difference.map(\.sentence).joined(separator: "; "),
                "Look again in a second; then look at the service's log for PublicationFailed."
            )
        }
        return .good(
            name,
            "phones get what is live \(place), as of event \(stamp.issue.position)"
        )
    }
}
