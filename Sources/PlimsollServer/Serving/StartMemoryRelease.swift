import CLinux
import Logging
import PlimsollEdge
import ServiceLifecycle

/// Gives back, once, what only the start needed of the program's own file.
///
/// The program is large, and Linux maps fifteen pages of it around each that is needed. Left alone
/// they stay resident for the life of a process that needs a tenth of them, and whoever looks at its
/// memory sees the file.
struct StartMemoryRelease: Service {
    let whenStarted: @Sendable () async throws -> Void
    let logger: Logger

    /// By then what comes once behind the start has come: an edge's first look for newer snapshots, a
    /// service's first publications.
    private static let delay: Duration = .seconds(5)

    func run() async throws {
        try await watchUntilShutdown {
            try await whenStarted()
            try await Task.sleep(for: Self.delay)
            creadiness_give_back_program()
            logger.info("gave back what only the start needed of the program")
            try await gracefulShutdown()
        }
    }
}
