package import Logging
import PlimsollDomain
import PlimsollPostgres
import ServiceLifecycle

/// Publishes what the log has ordered: signs it, writes it, switches to it, and tells the log.
///
/// It wakes when something is entered into the order book, and by itself. Of all exporters of one
/// database only the holder of a lock works; the others wait for it. It never blocks anybody who
/// appends, and a failing app never blocks another one.
package struct Exporter: Service {
    private let book: OrderBook
    private let parts: ExporterParts
    private let intervals: ExporterIntervals

    /// What the exporter is doing now.
    package var state: ExporterState { parts.board.latest }

    package init(_ configuration: ExporterConfiguration, book: OrderBook, logger: Logger) {
        self.book = book
        intervals = configuration.intervals
        let press = Press(configuration)
        parts = ExporterParts(
            press: press,
            sinks: configuration.sinks,
            logPress: configuration.log.map {
                LogPress($0, configuration.folder, lock: press.lock)
            },
            board: StateBoard(),
            logger: logger,
            clocks: configuration.clocks
        )
    }

    package func run() async throws {
        let (wakes, waker) = book.listen()
        await withGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                group.addTask(name: "exporter clock") { await tick(waker) }
                var shift = Shift(book, parts, intervals)
                for await _ in wakes {
                    await shift.work(&group)
                }
                shift.end()
            }
            await parts.press.lock.release()
        } onGracefulShutdown: {
            // What is under way is finished first.
            waker.finish()
        }
    }

    private func tick(_ waker: AsyncStream<Void>.Continuation) async {
        // Cancellation is how it ends.
        _ = try? await cancelWhenGracefulShutdown {
            while true {
                waker.yield()
                try await Task.sleep(for: intervals.check)
            }
        }
    }
}
