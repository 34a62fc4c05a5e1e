package import Logging
import Metrics
package import PlimsollDomain
import PlimsollEdge
package import PlimsollMarketplace
import PlimsollPostgres
import Synchronization

/// Says of each app that is handed out whether it comes to the account for the first time.
///
/// The rule, where nobody remembers or nobody can be asked in time: it does. An update is never a
/// redownload, whatever is remembered. No answer waits for this longer than ``timeout``, and none
/// fails for it.
package final class DownloadTypes: Sendable {
    private struct State {
        var breaker = CircuitBreaker()
        var complaint = Complaint()
    }

    private let history: DownloadHistory?
    private let timeout: Duration
    private let logger: Logger
    private let now: @Sendable () -> Instant
    private let state = Mutex(State())

    package static let usualTimeout: Duration = .milliseconds(250)

    /// What is remembered is dated by the clock that is given here.
    package init(
        _ history: DownloadHistory?,
        timeout: Duration = usualTimeout,
        logger: Logger,
        now: @escaping @Sendable () -> Instant
    ) {
        self.history = history
        self.timeout = timeout
        self.logger = logger
        self.now = now
    }

    /// Whether somebody has to be asked; else all are first downloads.
    package func needsLook(for question: DeviceQuestion, of account: String?) -> Bool {
        history != nil && account != nil && question == .restore
    }

    /// Which of the apps the account had before.
    package func redownloads(
        of items: Set<AppleItemID>,
        for question: DeviceQuestion,
        of account: String?
    ) async -> Set<AppleItemID> {
        let now = now()
        guard needsLook(for: question, of: account), let history, let account, !items.isEmpty
        else { return [] }
        guard state.withLock({ $0.breaker.admits(at: now) }) else {
            // Nobody is asked for a while, so this answer does not know either.
            countUnknown()
            return []
        }
        let had: Result<Set<AppleItemID>, PostgresError>? = await within(timeout) {
            do throws(PostgresError) {
                return .success(try await history.had(items, account, at: now))
            } catch {
                return .failure(error)
            }
        }
        return state.withLock { state in
            switch had {
            case .success(let items)?:
                state.breaker.succeeded()
                state.complaint.clear()
                return items
            case .failure, nil:
                countUnknown()
                state.breaker.failed(at: now)
                let reason = OutsideFailure("the database does not answer in time")
                state.complaint.make("downloads not looked up", reason, to: logger)
                return []
            }
        }
    }

    private func countUnknown() {
        Counter(label: "plimsoll.devices.downloads.unknown").increment()
    }
}
