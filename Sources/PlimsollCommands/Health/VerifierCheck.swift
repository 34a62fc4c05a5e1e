import PlimsollAPI

/// Looks what the instance that answers has seen of the whole log and of the read models.
struct VerifierCheck {
    let client: AdminClient

    func finding() async -> Finding {
        do {
            return Self.finding(metrics: try await client.metrics())
        } catch {
            return .bad("verifier", error, "Look again.")
        }
    }

    static func finding(metrics: String) -> Finding {
        let series = Series(metrics)
        if let mended = series["plimsoll_read_models_mended_total"], mended > 0 {
            return .bad(
                "verifier",
                "\(Int(mended)) rows of the read models were altered past the service since it"
                    + " started, and written again",
                "The service's log names them, at \u{201C}read models were altered\u{201D}. Find out who can"
                    + " write to the database."
            )
        }
        guard let age = series["plimsoll_verifier_round_age_seconds"] else {
            return .unchecked(
                "verifier",
                "this instance has not gone through the whole log since it started",
                "Look again in a minute. With PLIMSOLL_LOG_VERIFY_RATE=0 it never does."
            )
        }
        if series["plimsoll_verifier_foreign"] == 1 {
            return .unchecked(
                "verifier",
                "the log was looked at, and the read models are those of a newer program",
                "Start that one here too."
            )
        }
        let took = series["plimsoll_verifier_round_seconds"] ?? 0
        return .good(
            "verifier",
            "all of the log and the read models was looked at \(Int(age)) s ago, in \(Int(took)) s"
        )
    }

    /// Series without labels.
    private struct Series {
        private var values: [Substring: Double] = [:]

        init(_ metrics: String) {
            for line in metrics.split(separator: "\n") where !line.hasPrefix("#") {
                let parts = line.split(separator: " ")
                if parts.count == 2 { values[parts[0]] = Double(parts[1]) }
            }
        }

        subscript(name: Substring) -> Double? { values[name] }
    }
}
