import CLibPQ
import Synchronization

/// Keeps what the server says unasked.
///
/// A session that the server ends while it is idle learns of it only so: as a notice.
final class NoticeLog: Sendable {
    private let lastFatal = Mutex<ServerMessage?>(nil)

    /// Why the server ended the session, if it did.
    var fatal: ServerMessage? { lastFatal.withLock { $0 } }

    func record(_ message: ServerMessage) {
        guard message.isFatal else { return }
        lastFatal.withLock { $0 = message }
    }

    /// Makes libpq tell this log instead of writing to standard error.
    ///
    /// The caller keeps the log alive for as long as the connection.
    func receive(from connection: OpaquePointer) {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        _ = unsafe PQsetNoticeReceiver(
            connection,
            { context, result in
                guard let context = unsafe context else { return }
                let log = unsafe Unmanaged<NoticeLog>.fromOpaque(context)
                unsafe log.takeUnretainedValue().record(ServerMessage(result: result))
            },
            context
        )
    }
}
