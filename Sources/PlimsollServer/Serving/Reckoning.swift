import Logging
import Metrics
import PlimsollPublishing
import PlimsollLog
import PlimsollPostgres
import PlimsollStore

/// Compares the database with what was signed over it, before anything is appended.
struct Reckoning: Sendable {
    let outside: OutsideLog
    /// What an operator has decided to go on without.
    let accepted: MerkleRoot?
    let writer: Writer
    /// Has the edge of this process take another log for the one that it serves.
    let forget: @Sendable () async -> Void
    let logger: Logger

    /// Lets the writer write only if the database holds everything that was signed.
    func run() async throws {
        do {
            var standing = try await outside.standing()
            while let lost = standing.lost, lost == accepted {
                try await outside.giveUp(lost)
                logger.warning("a checkpoint was given up", metadata: ["log.size": "\(lost.size)"])
                standing = try await outside.standing()
            }
            if let prohibition = standing.prohibition {
                writer.forbid(because: prohibition)
                logger.critical(
                    "the service reads only",
                    metadata: ["error": "\(prohibition.sentence)"]
                )
            } else if let place = try await outside.setAside() {
                logger.critical(
                    "a published log was set aside",
                    metadata: ["file.path": "\(place)"]
                )
                await forget()
            }
            Gauge(label: "plimsoll.log.read_only").record(standing == .sound ? 0 : 1)
        } catch LogError.database(let error) {
            throw error
        }
    }
}
