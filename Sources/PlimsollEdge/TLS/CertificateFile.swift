package import Logging
import NIOSSL
package import PlimsollDomain
import PlimsollSystem
import ServiceLifecycle
import Synchronization
import UnixSignals

/// A listener's certificate in its file, as somebody looks at it who does not listen with it.
package struct CertificateFile: Sendable {
    private let path: Path

    /// How long before its end a certificate should have been replaced.
    package static let noticePeriod = Duration.seconds(14 * 86_400)
    static let sizeMaximum = 1 << 20

    /// Takes an absolute path.
    package init(_ path: String) {
        self.path = Path(path)
    }

    /// From when and until when clients take a certificate.
    package struct Validity: Equatable {
        package let begin: Instant
        package let end: Instant

        package init(begin: Instant, end: Instant) {
            self.begin = begin
            self.end = end
        }
    }

    /// Throws a sentence for the operator where there is no certificate.
    package func validity() throws -> Validity {
        let bytes = try path.read(sizeMaximum: Self.sizeMaximum)
        guard let certificate = try? NIOSSLCertificate.fromPEMBytes(bytes).first else {
            throw TLSRefusal.noCertificate(path)
        }
        return certificate.validity
    }
}

extension NIOSSLCertificate {
    var validity: CertificateFile.Validity {
        CertificateFile.Validity(
            begin: Instant(millisecondsSince1970: Int64(notValidBefore) * 1000),
            end: Instant(millisecondsSince1970: Int64(notValidAfter) * 1000)
        )
    }
}

/// Keeps a listener at the certificate that lies in its files.
///
/// It looks once a second, and at once when the process is sent `SIGHUP`. No connection is closed
/// for it, and whatever is wrong with the new files, the certificate in use stays in use.
package struct CertificateWatcher: Service {
    private let desk: CertificateReloader
    private let interval: Duration

    package static let defaultInterval: Duration = .seconds(1)

    package init(
        _ source: TLSSource,
        interval: Duration = defaultInterval,
        logger: Logger
    ) {
        desk = CertificateReloader(source, logger: logger)
        self.interval = interval
    }

    /// Looks again and again until graceful shutdown.
    package func run() async throws {
        try await watchUntilShutdown {
            try await withThrowingDiscardingTaskGroup { tasks in
                tasks.addTask(name: "certificate files") { try await look() }
                tasks.addTask(name: "certificate signal") { await listen() }
            }
        }
    }

    private func look() async throws {
        while true {
            desk.look()
            try await Task.sleep(for: interval)
        }
    }

    private func listen() async {
        for await _ in await UnixSignalsSequence(trapping: .sighup) { desk.answer() }
    }
}

/// Decides what a look at the files of a certificate leads to.
///
/// Two files cannot be replaced in one step, so what does not fit together is looked at a second
/// time before anybody is told; until it fits, the listener keeps what it has.
final class CertificateReloader: Sendable {
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
