import PlimsollDomain

/// Which apps' newest documents a store or cache does not have, as the instance that publishes
/// shows it in `/metrics`.
struct SinkGauge {
    private let lines: [Substring]

    init(metrics: String) {
        lines = metrics.split(separator: "\n").filter { $0.hasPrefix("plimsoll_sink_failing{") }
    }

    func isFailing(for app: AppSlug) -> Bool {
        lines.contains { $0.contains("app=\"\(app)\"") && !$0.hasSuffix(" 0") }
    }
}
