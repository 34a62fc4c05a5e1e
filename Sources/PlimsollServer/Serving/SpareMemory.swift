import CLinux
import Logging
import PlimsollEdge
import ServiceLifecycle

/// Gives back, once, what only the start of an edge needed of the program's own file.
///
/// The program is large, and Linux maps fifteen pages of it around each that is needed. Left alone
/// they stay resident for the life of an edge that needs a tenth of them, and whoever looks at its
/// memory sees the file.
struct SpareMemory: Service {
    let edge: EdgeService
    let logger: Logger

    /// By then the first snapshots are served, and whatever looks for newer ones has looked.
    private static let delay: Duration = .seconds(5)

    func run() async throws {
        try await watchUntilShutdown {
            _ = try await edge.address()
            try await Task.sleep(for: Self.delay)
            creadiness_give_back_program()
            logger.info("edge gave back what its start needed of the program")
            try await gracefulShutdown()
        }
    }
}
