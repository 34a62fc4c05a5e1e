import ArgumentParser

/// Whether to wait until phones are served the new state.
struct WaitOption: ParsableArguments {
    @Option(
        name: .customLong("wait"),
        help: ArgumentHelp(
            "Wait until PLIMSOLL_PUBLIC_URL serves it signed, 30s without a time; exit 7 if not.",
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
                next: "export PLIMSOLL_PUBLIC_URL=\(PublicEdge.usual)"
            )
        }
        return EdgeWait(address: address, duration: duration)
    }
}
