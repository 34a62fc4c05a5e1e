package import PlimsollSystem

extension SnapshotLoader {
    /// For so long something may be under way before the log is told that it is missing.
    package static let patience: Duration = .seconds(10)

    /// Where snapshots come from, and which of them are served.
    package struct Settings: Sendable {
        /// Nil where snapshots come from afar only.
        package var export: Path?
        /// Where the highest sequences are remembered; nil: only until the process ends.
        package var memory: Path?
        /// The hosts whose documents carry the signatures of one key.
        package var hosts: [KeyHost]
        /// Who reads proofs; nil: none is served.
        package var proofs: ProofReader?
        /// How many known witnesses have to have cosigned what proves a snapshot before it is served.
        package var quorum = 0
        /// Whether each app has a page for people.
        package var servesPages = false
        /// Whether snapshots come from more than one place, of which one may lag.
        package var hasSeveralOrigins = false
        /// What time it is, where it counts how long something lasts.
        package var now: @Sendable () -> ContinuousClock.Instant = { .now }
        /// Who is told what other edges may fetch, whenever it may have changed.
        package var offer: (@Sendable ([OfferedSnapshot]) -> Void)?

        package init(export: Path?, memory: Path? = nil, hosts: [KeyHost] = []) {
            self.export = export
            self.memory = memory
            self.hosts = hosts
        }
    }
}
