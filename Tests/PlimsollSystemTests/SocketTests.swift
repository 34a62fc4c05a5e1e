import Glibc
import Testing

@testable import PlimsollSystem

/// Sockets of the system as the edge's loops use them.
@Suite(.timeLimit(.minutes(5))) struct SocketTests {
    @Test func `what is sent arrives, and so does the end`() throws {
        try withConnection { server, client in
            defer { client.close() }
            let poll = try Poll()
            try poll.watchReading(server.number, key: 7)
            #expect(poll.wait(milliseconds: 0) == 0)
            var buffer = [UInt8](repeating: 0, count: 4)
            #expect(server.receive(into: &buffer) == .nothing)

            #expect(client.send([1, 2, 3, 4, 5].span) == .bytes(5))
            #expect(poll.wait(milliseconds: 10_000) == 1)
            let event = poll.event(at: 0)
            #expect(event.key == 7)
            #expect(event.isReadable && !event.isWritable && !event.isOver)
            #expect(server.receive(into: &buffer) == .bytes(4))
            #expect(buffer == [1, 2, 3, 4])
            #expect(server.receive(into: &buffer) == .bytes(1))
            #expect(buffer.first == 5)

            client.endSending()
            #expect(poll.wait(milliseconds: 10_000) == 1)
            #expect(server.receive(into: &buffer) == .end)
            // The other direction is still open.
            #expect(server.send([6].span) == .bytes(1))
            #expect(received(client, count: 1) == [6])
        }
    }

    @Test func `who does not read is not waited for`() throws {
        try withConnection { server, client in
            defer { client.close() }
            let bytes = [UInt8](repeating: 1, count: 65_536)
            var (sent, isFull) = (0, false)
            // What is on its way to the client makes room again when it arrives.
            while !isFull {
                let before = sent
                while case .bytes(let count) = server.send(bytes.span), count > 0 { sent += count }
                let poll = try Poll()
                try poll.watch(server.number, key: 1)
                isFull = poll.wait(milliseconds: 200) == 0 && sent == before
            }
            #expect(sent > 0)
            #expect(server.send(bytes.span) == .bytes(0))

            let poll = try Poll()
            try poll.watch(server.number, key: 1)
            #expect(poll.wait(milliseconds: 0) == 0)
            #expect(received(client, count: sent).count == sent)
            #expect(poll.wait(milliseconds: 10_000) == 1)
            #expect(poll.event(at: 0).isWritable)
        }
    }

    @Test func `a client that vanished is broken, and no signal`() throws {
        try withConnection { server, client in
            let poll = try Poll()
            // Unread bytes make a close a reset.
            #expect(server.send([1].span) == .bytes(1))
            #expect(received(client, count: 0, isWaiting: true) == [])
            client.close()
            try poll.watch(server.number, key: 1)
            repeat {
                #expect(poll.wait(milliseconds: 10_000) == 1)
            } while !poll.event(at: 0).isOver
            var buffer = [UInt8](repeating: 0, count: 4)
            #expect(server.receive(into: &buffer) == .broken)
            #expect(server.send([1].span) == .broken)
        }
    }

    @Test func `a watched socket is told of once, until it is asked for again`() throws {
        try withConnection { server, client in
            defer { client.close() }
            let poll = try Poll()
            try poll.watch(server.number, key: 9)
            #expect(poll.wait(milliseconds: 10_000) == 1)
            #expect(poll.event(at: 0).isWritable && !poll.event(at: 0).isReadable)
            #expect(poll.wait(milliseconds: 0) == 0)

            #expect(client.send([1].span) == .bytes(1))
            client.endSending()
            repeat {
                #expect(poll.wait(milliseconds: 10_000) == 1)
            } while !poll.event(at: 0).isEnded
            #expect(poll.event(at: 0).isReadable && !poll.event(at: 0).isOver)
            #expect(poll.wait(milliseconds: 0) == 0)
            try poll.rewatch(server.number, key: 9)
            #expect(poll.wait(milliseconds: 0) == 1)
            #expect(poll.event(at: 0).isReadable && poll.event(at: 0).isEnded)
        }
    }

    @Test func `what is forgotten is not told of`() throws {
        let (poll, waker) = (try Poll(), try Waker())
        try poll.watchReading(waker.number, key: 3)
        try poll.forget(waker.number)
        waker.wake()
        #expect(poll.wait(milliseconds: 0) == 0)
        #expect(throws: SocketFailure.self) { try poll.forget(waker.number) }
    }

    @Test func `a waker wakes once, however often it was told to`() throws {
        let (poll, waker) = (try Poll(), try Waker())
        try poll.watchReading(waker.number, key: 3)
        waker.wake()
        waker.wake()
        #expect(poll.wait(milliseconds: 10_000) == 1)
        waker.calm()
        waker.calm()
        #expect(poll.wait(milliseconds: 0) == 0)
    }

    @Test func `a port that is taken is named, and so is a host that is none`() throws {
        let listener = try listen(on: 0)
        defer { listener.close() }
        let taken = SocketFailure(
            "listen on 127.0.0.1:\(listener.port)",
            "Address already in use",
            code: EADDRINUSE
        )
        #expect(throws: taken) { try listen(on: listener.port) }
        let failure = #expect(throws: SocketFailure.self) {
            try ListeningSocket(host: "no.such.invalid", port: 0, backlog: 1, receiveBuffer: 4096)
        }
        #expect(failure?.description.hasPrefix("cannot listen on no.such.invalid:0: ") == true)
    }

    // Such a name has two addresses on most machines; the second is no way out.
    @Test func `a port of a name that is taken stays taken`() throws {
        func listen(on port: Int) throws(SocketFailure) -> ListeningSocket {
            try ListeningSocket(host: "localhost", port: port, backlog: 1, receiveBuffer: 4096)
        }
        let listener = try listen(on: 0)
        let failure = #expect(throws: SocketFailure.self) { try listen(on: listener.port) }
        #expect(failure?.reason == "Address already in use")
        listener.close()
    }

    @Test func `it listens on addresses of version six as well`() throws {
        let listener = try ListeningSocket(host: "::1", port: 0, backlog: 1, receiveBuffer: 4096)
        #expect(listener.port > 0)
        #expect(listener.accept() == .nobody)
        listener.close()
    }

    // MARK: Both ends

    private func listen(on port: Int) throws(SocketFailure) -> ListeningSocket {
        try ListeningSocket(host: "127.0.0.1", port: port, backlog: 8, receiveBuffer: 4096)
    }

    /// The body closes the client.
    private func withConnection(_ body: (Socket, Socket) throws -> Void) throws {
        let listener = try listen(on: 0)
        defer { listener.close() }
        #expect(listener.accept() == .nobody)
        let client = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(listener.port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(client, $0, size)
            }
        }
        try #require(code == 0)
        guard case .connection(let server) = listener.accept() else {
            Issue.record("a connection that was made can be accepted")
            return
        }
        defer { server.close() }
        try body(server, Socket(client))
    }

    /// Waits for that many bytes, or only until there are some.
    private func received(_ socket: Socket, count: Int, isWaiting: Bool = false) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        if isWaiting {
            var first: UInt8 = 0
            _ = unsafe recv(socket.number, &first, 1, CInt(MSG_PEEK))
        }
        while bytes.count < count, case .bytes(let number) = socket.receive(into: &buffer) {
            bytes += buffer[..<number]
        }
        return bytes
    }
}
