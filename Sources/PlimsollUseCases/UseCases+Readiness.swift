import PlimsollProjection
import PlimsollStore
import PlimsollDomain

extension UseCases {
    /// Waits for the read models to come as far as the log; `false` if they take too long.
    package func hasCaughtUp() async -> Bool {
        await readModels.progress.wait(
            for: writer.world.position,
            patience: ReadModels.patience
        )
    }

    /// Whether writes can be made and read models are up to date; says what is missing.
    package func readiness() async -> Readiness {
        guard writer.isOpen else {
            return .notReady(["The log has not been read yet: the database is away or starting."])
        }
        var missing: [String] = []
        do {
            _ = try await readModels.log.head()
        } catch {
            missing.append("The database does not answer.")
        }
        let position = writer.world.position
        if readModels.progress.position < position {
            missing.append(
                "The read models stand at \(readModels.progress.position) of \(position)."
            )
        }
        return missing.isEmpty ? .ready : .notReady(missing)
    }
}

/// Whether the service does its work.
package enum Readiness: Equatable, Sendable {
    case ready
    /// What is missing, as sentences.
    case notReady([String])
}
