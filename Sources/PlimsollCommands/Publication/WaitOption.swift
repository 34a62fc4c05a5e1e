import ArgumentParser
import PlimsollAPI
import PlimsollAdmin
import PlimsollDocuments
import PlimsollDomain

/// Whether to wait until phones are served the new state.
struct WaitOption: ParsableArguments {
    @Option(
        name: .customLong("wait"),
        help: ArgumentHelp(
            "Wait until PLIMSOLL_PUBLIC_URL serves it, 30s where no time is given; exit 7 if not.",
            valueName: "time"
        ),
        transform: { text in
            guard let duration = Duration(written: text) else {
                throw ValidationError("It needs to be \(Duration.grammar).")
            }
            return duration
        }
    )
    var duration: Duration?

    /// Where and how long to wait; `nil` where nobody asked.
    func edge() throws -> EdgeWait? {
        guard let duration else { return nil }
        guard let address = try PublicEdge.configuredAddress() else {
            throw Failure(
                .usage,
                "--wait needs to know where phones are served.",
                next: "export PLIMSOLL_PUBLIC_URL=\(PublicEdge.urlUsual)"
            )
        }
        return EdgeWait(address: address, duration: duration)
    }
}

/// Looks at the edge until it serves a publication.
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
        _ output: Output
    ) async throws {
        let clock = ContinuousClock()
        let deadline = clock.now + duration
        try await Transport.with { transport in
            let edge = PublicEdge(address: address, transport: transport)
            for platform in Set(effect.map(\.field.platform)).sorted() {
                while try await servedPosition(of: app, platform, edge) < position {
                    guard clock.now < deadline else {
                        throw Failure(
                            .timedOut,
                            "\(address) did not serve event \(position) on \(platform.name) within"
                                + " \(duration).",
                            detail: "The write itself is done.",
                            next: "plimsoll doctor"
                        )
                    }
                    try await clock.sleep(for: Self.pause)
                }
            }
        }
        output.note("Phones are served event \(position).")
    }

    /// What cannot be fetched or read yet may be a moment later.
    private func servedPosition(
        of app: AppSlug,
        _ platform: Platform,
        _ edge: PublicEdge
    ) async throws -> Position {
        try Task.checkCancellation()
        guard
            let served = try? await edge.document(of: app, on: platform),
            let document = try? AvailabilityDocument(
                parsing: served.body,
                platform: platform,
                profile: .minimal
            ),
            let stamp = document.stamp
        else { return .start }
        return stamp.issue.position
    }
}
