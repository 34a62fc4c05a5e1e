/// What is read off the measurements, and what of it is a reason to look.
struct HealthReading {
    enum Kind {
        case number
        /// Whether it is so, good or not.
        case flag
        case seconds
        /// The mean of how long something took.
        case mean
        /// Bad while it is not zero.
        case faults
        /// Bad while it is zero.
        case wanted
        /// Something waits while it is not zero.
        case waiting
        /// For so long something waits.
        case delay
    }

    /// The section of the page.
    let part: String
    /// What it is called in the language files.
    let name: String
    let series: String
    let kind: Kind

    static let all: [HealthReading] =
        [
            ("events", "plimsoll_log_head_position", .number),
            ("checkpoint", "plimsoll_log_checkpoint_size", .number),
            ("checkpointFailing", "plimsoll_log_checkpoint_failing", .faults),
            ("logCheckAge", "plimsoll_log_check_age_seconds", .seconds),
            ("readOnly", "plimsoll_log_read_only", .faults),
            ("clock", "plimsoll_clock_trusted", .wanted),
            ("startSeconds", "plimsoll_log_start_seconds", .seconds),
        ].readings("record")
        + [
            ("verifierPosition", "plimsoll_verifier_position", .number),
            ("verifierFailing", "plimsoll_verifier_failing", .faults),
            ("verifierAge", "plimsoll_verifier_round_age_seconds", .seconds),
            ("verifierSeconds", "plimsoll_verifier_round_seconds", .seconds),
            ("mended", "plimsoll_read_models_mended_total", .faults),
            ("namesAltered", "plimsoll_verifier_names_altered", .faults),
            ("namesMissing", "plimsoll_verifier_names_missing", .faults),
            ("filesMended", "plimsoll_log_files_mended_total", .faults),
            ("foreign", "plimsoll_verifier_foreign", .faults),
        ].readings("verifier")
        + [
            ("leads", "plimsoll_exporter_active", .flag),
            ("epoch", "plimsoll_exporter_epoch", .number),
            ("leaderAge", "plimsoll_exporter_age_seconds", .seconds),
            ("lag", "plimsoll_publication_lag_seconds", .delay),
            ("publicationSeconds", "plimsoll_snapshot_publication_duration_seconds", .mean),
            ("signingSeconds", "plimsoll_signer_duration_seconds", .mean),
            ("published", "plimsoll_snapshots_published_total", .number),
            ("failed", "plimsoll_snapshots_failed_total", .faults),
            ("signerFailures", "plimsoll_signer_failures_total", .faults),
            ("sinks", "plimsoll_sink_failing", .faults),
            ("proofs", "plimsoll_snapshot_proof_failing", .faults),
            ("renewal", "plimsoll_renewal_withheld", .faults),
        ].readings("publication")
        + [
            ("connections", "plimsoll_connections_open", .number),
            ("answered", "plimsoll_requests_answered_total", .number),
            ("loaded", "plimsoll_snapshots_loaded_total", .number),
            ("refused", "plimsoll_snapshots_refused_total", .faults),
            ("certificate", "plimsoll_certificate_remaining_seconds", .seconds),
        ].readings("edge")
        + [
            ("waiting", "plimsoll_pool_tasks_waiting", .waiting),
            ("inUse", "plimsoll_pool_sessions_in_use", .number),
            ("waited", "plimsoll_pool_sessions_waited_seconds", .mean),
            ("connectFailed", "plimsoll_pool_sessions_connect_failed_total", .faults),
            ("commands", "plimsoll_log_commands_total", .number),
            ("conflicts", "plimsoll_log_conflicts_total", .number),
            ("schedules", "plimsoll_schedules_failed_total", .faults),
            ("overdue", "plimsoll_schedules_overdue_seconds", .delay),
            ("webhooks", "plimsoll_webhook_failing", .faults),
            ("reviewsOverdue", "plimsoll_reviews_overdue", .faults),
        ].readings("work")

    static let parts = ["record", "verifier", "publication", "edge", "work"]
}

extension [(String, String, HealthReading.Kind)] {
    fileprivate func readings(_ part: String) -> [HealthReading] {
        map { HealthReading(part: part, name: $0.0, series: $0.1, kind: $0.2) }
    }
}

extension HealthReading {
    /// What it is worth now; `nil` where nothing was measured.
    func value(in measurements: Measurements) -> Double? {
        switch kind {
        case .mean: measurements.mean(series)
        case .number, .flag, .seconds, .faults, .wanted, .waiting, .delay:
            measurements.total(series)
        }
    }

    func isBad(_ value: Double) -> Bool {
        switch kind {
        case .faults: value != 0
        case .wanted: value == 0
        case .number, .flag, .seconds, .mean, .waiting, .delay: false
        }
    }

    func isWaiting(_ value: Double) -> Bool {
        switch kind {
        case .waiting, .delay: value != 0
        case .number, .flag, .seconds, .mean, .faults, .wanted: false
        }
    }

    /// Whether it is good as such, so that the page says so.
    func isGood(_ value: Double) -> Bool {
        switch kind {
        case .faults, .wanted, .waiting, .delay: !isBad(value) && !isWaiting(value)
        case .number, .flag, .seconds, .mean: false
        }
    }
}
