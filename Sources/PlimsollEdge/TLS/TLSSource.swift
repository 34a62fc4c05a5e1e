import NIOSSL
package import PlimsollDomain
import Synchronization

/// The certificate that new connections are shown.
///
/// Connections keep the one they began with, so that a new certificate cuts nobody off.
package final class TLSSource: Sendable {
    let files: TLSFiles
    private let state: Mutex<State>

    private struct State {
        var content: TLSFiles.Content
        var identity: TLSIdentity
    }

    /// Throws a sentence for the operator where there is nothing to begin with.
    package init(_ files: TLSFiles) throws {
        let content = try files.read()
        self.files = files
        state = Mutex(
            State(content: content, identity: try TLSIdentity(content, from: files))
        )
    }

    /// Until when clients take the certificate.
    package var end: Instant { state.withLock { $0.identity.validity.end } }

    var context: NIOSSLContext { state.withLock { $0.identity.context } }

    func isShowing(_ content: TLSFiles.Content) -> Bool {
        state.withLock { $0.content == content }
    }

    /// Shows another certificate from now on, unless it is worse than the present one.
    func replace(with content: TLSFiles.Content, at now: Instant) throws(TLSRefusal) {
        let identity = try TLSIdentity(content, from: files)
        let validity = identity.validity
        guard validity.end > min(now, end) else { throw .ended(files.certificate, validity.end) }
        guard validity.begin <= now else { throw .notYet(files.certificate, validity.begin) }
        state.withLock { $0 = State(content: content, identity: identity) }
    }
}
