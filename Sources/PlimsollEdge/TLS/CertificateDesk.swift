import Logging
import PlimsollDomain
import Synchronization

/// Decides what a look at the files of a certificate leads to.
///
/// Two files cannot be replaced in one step, so what does not fit together is looked at a second
/// time before anybody is told; until it fits, the listener keeps what it has.
final class CertificateDesk: Sendable {
    private struct State {
        /// What was wrong at the last look.
        var doubt: String?
        var complaint = Complaint()
        var warned: Instant?
    }

    private let source: TLSSource
    private let logger: Logger
    private let state = Mutex(State())

    /// How often it is said that a certificate should have been replaced.
    private static let noticeInterval = Duration.seconds(86_400)

    init(_ source: TLSSource, logger: Logger) {
        self.source = source
        self.logger = logger
    }

    /// Looks on its own account.
    func look(at now: Instant = .current) {
        state.withLock { look(&$0, isAsked: false, now) }
    }

    /// Looks because the operator says so, and tells what came of it.
    func answer(at now: Instant = .current) {
        state.withLock { state in
            state.complaint.clear()
            look(&state, isAsked: true, now)
        }
    }

    private func look(_ state: inout State, isAsked: Bool, _ now: Instant) {
        do {
            let content = try source.files.read()
            if !source.isShowing(content) {
                try source.replace(with: content, at: now)
                tell("certificate replaced")
            } else if isAsked {
                tell("certificate unchanged")
            }
            state.doubt = nil
            state.complaint.clear()
        } catch {
            let doubt = "\(error)"
            if isAsked || state.doubt == doubt {
                state.complaint.make("certificate not replaced", error, to: logger)
            }
            state.doubt = doubt
        }
        warn(&state, now)
    }

    private func tell(_ message: Logger.Message) {
        logger.info(message, metadata: ["certificate.end": "\(source.end)"])
    }

    private func warn(_ state: inout State, _ now: Instant) {
        guard source.end <= now.advanced(by: CertificateFile.noticePeriod) else {
            state.warned = nil
            return
        }
        if let warned = state.warned, now < warned.advanced(by: Self.noticeInterval) { return }
        state.warned = now
        logger.warning("certificate ends soon", metadata: ["certificate.end": "\(source.end)"])
    }
}
