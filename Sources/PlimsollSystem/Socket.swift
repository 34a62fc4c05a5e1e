import CLinux
import Glibc
import Synchronization

/// A connection as the system sees it.
///
/// Nothing here waits.
package struct Socket: Equatable, Sendable {
    /// How much came.
    package enum Received: Equatable, Sendable {
        case bytes(Int)
        /// Nothing is there now.
        case nothing
        /// The client will send no more.
        case end
        case broken
    }

    /// How much the system took.
    package enum Sent: Equatable, Sendable {
        /// 0 where its buffers are full.
        case bytes(Int)
        case broken
    }

    /// The system gives a number to another connection as soon as this one is closed.
    package let number: CInt

    init(_ number: CInt) {
        self.number = number
    }

    /// Reads into the beginning of a buffer, as much as it holds.
    @inline(__always)
    package func receive(into buffer: inout [UInt8]) -> Received {
        let count = unsafe buffer.withUnsafeMutableBytes {
            unsafe csockets_receive(number, $0.baseAddress, $0.count)
        }
        switch count {
        case 1...: return .bytes(count)
        case 0: return .end
        default: return Self.isLater(errno) ? .nothing : .broken
        }
    }

    @inline(__always)
    package func send(_ bytes: Span<UInt8>) -> Sent {
        let count = unsafe bytes.withUnsafeBytes {
            unsafe csockets_send(number, $0.baseAddress, $0.count)
        }
        if count >= 0 { return .bytes(count) }
        return Self.isLater(errno) ? .bytes(0) : .broken
    }

    /// Has the system send a part of a file by itself; a file that has become shorter is broken.
    package func send(_ file: ServedFile, from place: Int64, upTo count: Int) -> Sent {
        let sent = csockets_send_file(number, file.number, place, count)
        if sent > 0 { return .bytes(sent) }
        return sent < 0 && Self.isLater(errno) ? .bytes(0) : .broken
    }

    /// Says that nothing more will be sent; the client may go on.
    package func endSending() {
        _ = shutdown(number, CInt(SHUT_WR))
    }

    package func close() {
        _ = Glibc.close(number)
    }

    private static func isLater(_ code: CInt) -> Bool {
        code == EAGAIN || code == EWOULDBLOCK
    }
}

extension [UInt8] {
    /// In one piece, as a loop over the bytes would not.
    package mutating func append(copying bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }

    package init(copying bytes: Span<UInt8>) {
        self = unsafe bytes.withUnsafeBufferPointer { unsafe [UInt8]($0) }
    }
}

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

/// Why the system grants no listener, or nothing to wait with.
package struct SocketFailure: Error, Equatable, CustomStringConvertible {
    /// What was tried, as in `listen on 127.0.0.1:8081`.
    package let step: String
    /// The system's words.
    package let reason: String
    /// The system's number for it; `nil` where the host has no address.
    package let code: CInt?

    package var description: String { "cannot \(step): \(reason)" }

    init(_ step: String, _ reason: String, code: CInt? = nil) {
        self.step = step
        self.reason = reason
        self.code = code
    }

    /// Reads the system's last error.
    static func last(_ step: String) -> SocketFailure {
        let code = errno
        return unsafe SocketFailure(step, String(cString: strerror(code)), code: code)
    }
}

/// How many files and sockets the process may have open.
package enum OpenFileLimit {
    /// Raises the limit as far as the process may, and answers it; `nil` where there is none, or
    /// none that can be told.
    ///
    /// It is kept low for programs that cannot count above a thousand.
    package static func raise() -> Int? {
        let limit = csockets_raise_open_files()
        return limit < 0 ? nil : Int(limit)
    }
}
