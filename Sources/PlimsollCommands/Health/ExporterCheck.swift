import PlimsollAPI

/// Looks whether any instance publishes, and whether what is ordered is published, as the instance that
/// answers sees it.
struct ExporterCheck {
    let client: AdminClient

    static let name = "exporter"
    private static let epoch: Substring = "plimsoll_exporter_epoch"
    /// Where a leader is lost, another instance follows within five seconds.
    private static let successionMaximum = Duration.seconds(6)
    /// In seconds: a publication takes less, also where another instance has to follow first.
    private static let lagMaximum = 60.0

    func finding() async -> Finding {
        do {
            var metrics = try await client.metrics()
            if PlainSeries(metrics)[Self.epoch] == 0 {
                // Whoever is cancelled asks in vain.
                try? await Task.sleep(for: Self.successionMaximum)
                metrics = try await client.metrics()
            }
            return Self.finding(metrics: metrics)
        } catch {
            return .bad(Self.name, error, remedy)
        }
    }

    static func finding(metrics: String) -> Finding {
        let series = PlainSeries(metrics)
        guard let epoch = series[Self.epoch],
            let lag = series["plimsoll_publication_lag_seconds"]
        else {
            return .unchecked(name, "this instance does not say who publishes", "Ask another one.")
        }
        guard epoch > 0 else { return .bad(name, "no instance is known to publish", remedy) }
        guard lag <= lagMaximum else {
            return .bad(
                name,
                "something was ordered \(Int(lag)) s ago, and is not published",
                remedy
            )
        }
        let leader = series["plimsoll_exporter_active"] == 1 ? "this instance" : "another instance"
        return .good(name, "\(leader) publishes, and nothing is late")
    }
}

private let remedy =
    "Look in each instance's log, where \u{201C}the exporter cannot work\u{201D} or"
    + " \u{201C}a publication failed\u{201D} says why. Where neither does, look at the disk of the export."
