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

    /// In seconds, beside what a round takes: it begins half a minute after the one before at the latest.
    private static let patience = 600.0

    static func finding(metrics: String) -> Finding {
        let series = PlainSeries(metrics)
        if let mended = series["plimsoll_read_models_mended_total"], mended > 0 {
            return .bad(
                "verifier",
                "\(Int(mended)) rows of the read models were altered past the service since it"
                    + " started, and written again",
                "The service's log names them, at \u{201C}read models were altered\u{201D}. Find out who can"
                    + " write to the database."
            )
        }
        if let finding = nameFinding(series) { return finding }
        if series["plimsoll_log_read_only"] == 1 {
            return .unchecked(
                "verifier",
                "the service reads only, and so looks no more",
                "See to that first: /readyz says why."
            )
        }
        if series["plimsoll_verifier_failing"] == 1 {
            return held(up: "the log and the read models cannot be looked at")
        }
        guard let age = series["plimsoll_verifier_round_age_seconds"] else {
            return .unchecked(
                "verifier",
                "this instance has not gone through the whole log since it started",
                "Look again in a minute. With PLIMSOLL_LOG_VERIFY_RATE=0 it never does."
            )
        }
        let took = series["plimsoll_verifier_round_seconds"] ?? 0
        guard age <= patience + 2 * took else {
            return held(
                up: "the log and the read models were looked at \(Int(age)) s ago, which takes"
                    + " \(Int(took)) s"
            )
        }
        if series["plimsoll_verifier_foreign"] == 1 {
            return .unchecked(
                "verifier",
                "the log was looked at, and the read models are those of a newer program",
                "Start that one here too."
            )
        }
        let uncommitted = Int(series["plimsoll_verifier_names_uncommitted"] ?? 0)
        let rest =
            uncommitted == 0
            ? "" : "; of \(uncommitted) names of before the log does not say whether they are right"
        return .good(
            "verifier",
            "all of the log, the read models and names was looked at \(Int(age)) s ago, in"
                + " \(Int(took)) s" + rest
        )
    }

    private static func held(up sentence: String) -> Finding {
        .bad(
            "verifier",
            sentence,
            "The service's log says why, at \u{201C}the verifier is held up\u{201D}."
        )
    }

    private static func nameFinding(_ series: PlainSeries) -> Finding? {
        if let altered = series["plimsoll_verifier_names_altered"], altered > 0 {
            return .bad(
                "verifier",
                "the names of \(Int(altered)) people are not those that the log says, and are not"
                    + " shown",
                "plimsoll verify log says whose. Find out who can write to the database, and put the"
                    + " names back from the file .names of a backup."
            )
        }
        if let missing = series["plimsoll_verifier_names_missing"], missing > 0 {
            return .bad(
                "verifier",
                "the names of \(Int(missing)) people are gone, and nobody erased them",
                "plimsoll verify log says whose. Put them back from the file .names of a backup, or"
                    + " erase them: plimsoll principal erase."
            )
        }
        return nil
    }
}

/// The series without labels that an instance shows in `/metrics`.
struct PlainSeries {
    private var values: [Substring: Double] = [:]

    init(_ metrics: String) {
        for line in metrics.split(separator: "\n") where !line.hasPrefix("#") {
            let parts = line.split(separator: " ")
            if parts.count == 2 { values[parts[0]] = Double(parts[1]) }
        }
    }

    subscript(name: Substring) -> Double? { values[name] }
}
