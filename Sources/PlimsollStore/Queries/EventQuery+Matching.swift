import PlimsollDomain

extension EventQuery {
    /// Whether the event is one of those that the statement would find, bounds of place aside.
    package func isMet(by event: AuditedEvent) -> Bool {
        let (recorded, origin) = (event.recorded, event.recorded.origin)
        return admits(event.app, in: apps)
            && admits(recorded.event.type, in: types)
            && admits(origin.actor, in: actors)
            && admits(event.change, in: changes)
            && admits(origin.correlation, in: correlations)
            && (reasons.isEmpty || reasons.contains { origin.reason?.text.mentions($0) ?? false })
            && (fields.isEmpty && platforms.isEmpty || event.fields.contains(where: isMet))
            && isWithinTimes(recorded.recordedAt)
    }

    private func isMet(by change: FieldChange) -> Bool {
        admits(change.field, in: fields) && admits(change.field.platform, in: platforms)
    }

    private func isWithinTimes(_ instant: Instant) -> Bool {
        if case .time(let first) = since, instant < first { return false }
        if case .time(let last) = until, instant > last { return false }
        return true
    }

    private func admits<Value: Equatable>(_ value: Value?, in wanted: [Value]) -> Bool {
        guard !wanted.isEmpty else { return true }
        return value.map(wanted.contains) ?? false
    }
}

extension String {
    fileprivate func mentions(_ words: String) -> Bool {
        lowercased().contains(words.lowercased())
    }
}
