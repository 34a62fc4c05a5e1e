import CLinux
import Logging
import PlimsollEdge
import ServiceLifecycle

/// Gives back, once, what only the start needed: pages of the program's own file, and what lies free
/// among what was allocated.
///
/// The program is large, and Linux maps fifteen pages of it around each that is needed. Left alone
/// they stay resident for the life of a process that needs a tenth of them, and so does what the C
/// library keeps of a log that was folded.
struct SpareMemory: Service {
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
            creadiness_give_back_heap()
            logger.info("gave back the memory that only the start needed")
            try await gracefulShutdown()
        }
    }
}
