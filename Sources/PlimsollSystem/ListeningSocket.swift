import CLinux
import Glibc
import Synchronization

/// Where connections come in, until it is closed or nobody has it any more.
package final class ListeningSocket: Sendable {
    /// What came of asking for the next connection.
    package enum Accepted: Equatable, Sendable {
        case connection(Socket)
        /// Nobody waits.
        case nobody
        /// The process has as many files as it may have, or the system no memory: later perhaps.
        case noRoom
    }

    package let number: CInt
    /// The one that the system chose, where it was left to choose.
    package let port: Int
    private let isOpen = Atomic(true)

    /// Listens, and lets the system choose a port where it is 0.
    ///
    /// A client may send as many bytes ahead as `receiveBuffer` says. Throws where the host has
    /// no address, or the port is taken or not ours.
    package init(
        host: String,
        port: Int,
        backlog: Int,
        receiveBuffer: Int
    ) throws(SocketFailure) {
        var bound: CInt = 0
        var explanation: UnsafePointer<CChar>? = nil
        let number = unsafe csockets_listen(
            host,
            String(port),
            CInt(backlog),
            CInt(receiveBuffer),
            &bound,
            &explanation
        )
        let step = "listen on " + (host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)")
        guard number >= 0 else {
            if let explanation = unsafe explanation {
                throw unsafe SocketFailure(step, String(cString: explanation))
            }
            throw .last(step)
        }
        self.number = number
        self.port = Int(bound)
    }

    deinit {
        close()
    }

    package func accept() -> Accepted {
        let number = csockets_accept(self.number)
        if number >= 0 { return .connection(Socket(number)) }
        return switch errno {
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: .noRoom
        // accept(2): errors of a connection that is gone already come here too.
        default: .nobody
        }
    }

    /// Who still waits is refused, and so is whoever comes.
    package func close() {
        guard isOpen.exchange(false, ordering: .relaxed) else { return }
        _ = Glibc.close(number)
    }
}
