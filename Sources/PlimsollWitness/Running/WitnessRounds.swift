import Logging
import PlimsollAPI
import PlimsollLog
import ServiceLifecycle

/// Looks at a log again and again, and brings it what the witness says.
///
/// A log that cannot be read is no alarm: it is told once, and looked at again.
struct WitnessRounds: Service {
    let round: Round
    let interval: Duration
    let post: Posting?
    let logger: Logger

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown { try await look() }
        } catch is CancellationError {
            return
        }
    }

    private func look() async throws {
        var posted: MerkleRoot?
        var complaint = ""
        while true {
            do {
                let cosigned = try await round.look()
                let root = cosigned.checkpoint.root
                if posted != root {
                    try await post?(cosigned)
                    posted = root
                    logger.info(
                        "cosigned",
                        metadata: ["log.size": "\(root.size)", "log.root": "\(root.hash)"]
                    )
                }
                complaint = ""
            } catch let alarm as WitnessAlarm {
                throw alarm
            } catch {
                try Task.checkCancellation()
                if complaint != "\(error)" {
                    logger.error("nothing is cosigned", metadata: ["error": "\(error)"])
                }
                complaint = "\(error)"
            }
            try await Task.sleep(for: interval)
        }
    }
}
