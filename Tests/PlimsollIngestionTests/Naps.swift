import PlimsollIngestion
import PlimsollTestSupport
import Synchronization

/// How long was waited for, in place of waiting.
final class Naps: Sendable {
    private let taken = Mutex<[Duration]>([])

    var all: [Duration] { taken.withLock { $0 } }

    var clock: IngestionClock {
        IngestionClock(
            now: { testNow },
            sleep: { duration in
                try Task.checkCancellation()
                self.taken.withLock { $0.append(duration) }
            }
        )
    }
}
