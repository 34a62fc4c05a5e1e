package import PlimsollDomain
package import PlimsollLog

/// What a process knows of the log without having read it: the state at some event of it.
package struct KnownLog: Sendable {
    package let logState: LogState
    /// The last event that it was folded from.
    package let tip: LogTip
    /// When that was recorded; `nil` at the start of the log.
    let recordedAt: Instant?

    /// So that all of the log is folded.
    package static let nothing = KnownLog(logState: LogState(), tip: .start, recordedAt: nil)
}

extension EventLog {
    /// Takes a state for what the log came to at its last event; throws where the log has no such
    /// event there.
    package func vouch(
        for logState: LogState,
        at leaf: MerkleHash
    ) async throws(LogError) -> KnownLog {
        let tip = LogTip(position: logState.position, leaf: leaf)
        let event = try await event(at: tip)
        return KnownLog(logState: logState, tip: tip, recordedAt: event.recordedAt)
    }

    private func event(at tip: LogTip) async throws(LogError) -> RecordedEvent {
        guard let entry = try await entries(from: tip.position, limit: 1).first,
            entry.position == tip.position
        else { throw .lost(.behind(tip, end: try await head().position)) }
        guard entry.tip == tip else { throw .lost(.forked(tip)) }
        var reader = EntryReader(authentication)
        return try reader.read(entry.bytes.span, at: tip.position)
    }
}
