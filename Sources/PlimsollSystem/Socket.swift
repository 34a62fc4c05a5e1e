import CLinux
import Glibc

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
