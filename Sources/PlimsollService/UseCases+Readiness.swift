import PlimsollDomain
package import PlimsollStore

extension UseCases {
    /// Waits for the read models to come as far as the log; `false` if they take too long.
    package func hasCaughtUp() async -> Bool {
        await readModels.progress.wait(
            for: writer.world.position,
            patience: ReadModels.patience
        )
    }

    /// Why nothing may be written until an operator decides.
    package var prohibition: Prohibition? { writer.prohibition }

    /// Whether writes can be made and read models are up to date; says what is missing.
    package func readiness() async -> Readiness {
        guard writer.isOpen else {
            return .notReady(["The log has not been read yet: the database is away or starting."])
        }
        if let prohibition { return .readsOnly(prohibition) }
        let position = writer.world.position
        // What was written a moment ago is read a moment later; that is no reason to take a service
        // out of its load balancer.
        _ = await readModels.progress.wait(for: position, patience: readPatience)
        let held: Position
        do {
            held = try await readModels.position(timeout: databasePatience)
        } catch {
            return .notReady(["The database does not answer."])
        }
        let standAt = min(held, readModels.progress.position)
        guard standAt >= position else {
            return .notReady(["The read models stand at \(standAt) of \(position)."])
        }
        return .ready
    }
}

/// How long a database may think about the simplest of questions.
private let databasePatience = Duration.seconds(2)

/// How long read models may need for what was just written.
private let readPatience = Duration.seconds(1)

/// Whether the service does its work.
package enum Readiness: Equatable, Sendable {
    case ready
    /// What is there is answered, and nothing is written.
    case readsOnly(Prohibition)
    /// What is missing, as sentences.
    case notReady([String])
}
