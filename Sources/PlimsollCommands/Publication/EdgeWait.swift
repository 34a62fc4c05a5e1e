import PlimsollAPI
import PlimsollAdmin
import PlimsollDocuments
import PlimsollDomain

/// Looks at the edge until it serves a publication that phones accept.
struct EdgeWait {
    let address: ServiceAddress
    let duration: Duration

    private static let pause: Duration = .milliseconds(100)

    /// Waits for every platform that the effect touches.
    ///
    /// A document that did not change keeps its older sequence, so it is not waited for; one that
    /// did change bears a position no older than the append that ordered it.
    func wait(
        for effect: [FieldChange],
        of app: AppSlug,
        orderedUpTo position: Position,
        trusting service: ServiceOptions,
        _ output: Output
    ) async throws {
        let clock = ContinuousClock()
        let deadline = clock.now + duration
        try await service.withClient { client in
            try await Transport.with { transport in
                let edge = PublicEdge(address: address, transport: transport)
                var look = EdgeLook(app: app, client: client, edge: edge)
                for platform in Set(effect.map(\.field.platform)).sorted() {
                    while let doubt = try await look.doubt(about: position, on: platform) {
                        guard clock.now < deadline else {
                            throw late(position, platform, doubt)
                        }
                        try await clock.sleep(for: Self.pause)
                    }
                }
            }
        }
        output.note("Phones are served event \(position).")
    }

    private func late(_ position: Position, _ platform: Platform, _ doubt: String) -> Failure {
        Failure(
            .timedOut,
            "\(address) did not serve event \(position) on \(platform.name) within \(duration).",
            detail: "\(doubt) The write itself is done.",
            next: "plimsoll doctor"
        )
    }
}

/// What phones are served, looked at as one of them would.
private struct EdgeLook {
    let app: AppSlug
    let client: AdminClient
    let edge: PublicEdge
    private var keys: TrustedKeys?

    init(app: AppSlug, client: AdminClient, edge: PublicEdge) {
        (self.app, self.client, self.edge) = (app, client, edge)
    }

    /// Why phones are not served the position; `nil` once they are.
    mutating func doubt(about position: Position, on platform: Platform) async throws -> String? {
        try Task.checkCancellation()
        do {
            let keys = try await trustedKeys()
            let served = try await edge.document(of: app, on: platform)
            let verified = try served.signature().verify(served.body, keys: keys).get()
            let document = try AvailabilityDocument(
                parsing: verified.body,
                platform: platform,
                profile: .minimal
            )
            guard let stamp = document.stamp, stamp.app == app else {
                return "It serves another app's document."
            }
            guard stamp.issue.position < position else { return nil }
            return "It serves event \(stamp.issue.position)."
        } catch let refusal as VerificationRefusal {
            // A key may be younger than the answer.
            keys = nil
            return refusal.description
        } catch {
            return Finding.bad("edge", error, "").detail
        }
    }

    /// The app's own: what another app's key has signed, its phones refuse.
    private mutating func trustedKeys() async throws -> TrustedKeys {
        if let keys { return keys }
        let trusted = TrustedKeys(try await client.keys().keys.filter { $0.app == app })
        keys = trusted
        return trusted
    }
}
