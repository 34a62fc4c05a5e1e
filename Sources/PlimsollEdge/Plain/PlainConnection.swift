import NIOCore
import PlimsollLog
import PlimsollSystem

/// Carries one client's connection without encryption.
///
/// A value, which its loop calls once for each event: of a class every access to every part would be
/// checked for another at the same time, which cost a fifth of what an answer costs.
struct PlainConnection: ~Copyable {
    let socket: Socket
    /// Under which its loop knows it.
    let key: UInt64
    private var state = EdgeConnection()
    /// What the system has not taken yet.
    private var output = ByteBuffer()
    /// What comes after it: pieces of one answer at most, which share their bytes with the table.
    private var laterOutput: [ByteBuffer] = []
    /// What comes after that, straight from a file.
    private var file: FilePart?
    /// The disk is asked for what comes next.
    private var isAwaitingDisk = false
    /// There may be something to read.
    private var hasInput = false
    /// The client sends no more; the end may still be unread.
    private var isInputEnding = false

    /// Answers are copied together up to so many bytes; others are sent as they lie.
    private static let gatheredMaximum = 8192
    /// So much of a file is looked for in memory, and sent, at once.
    private static let pieceSize = 524_288
    /// After so many pieces others have their turn.
    private static let piecesMaximum = 4

    init(_ socket: Socket, key: UInt64) {
        self.socket = socket
        self.key = key
    }

    // MARK: What happens

    mutating func proceed(_ event: Poll.Event, _ loop: PlainLoop) {
        if event.isReadable || event.isOver { hasInput = true }
        if event.isEnded { isInputEnding = true }
        if event.isOver, !state.canRead { return close(loop) }
        if event.isWritable, state.isBlocked { sendMore(loop) }
        read(loop)
    }

    /// What was waited for has come into memory.
    mutating func bringIn(_ loop: PlainLoop) {
        guard isAwaitingDisk else { return }
        isAwaitingDisk = false
        sendMore(loop, isThere: true)
        read(loop)
    }

    private mutating func sendMore(_ loop: PlainLoop, isThere: Bool = false) {
        flush(loop, isThere: isThere)
        state.resume()
        advance(Span(), loop)
    }

    mutating func deliver(_ delivery: Delivery, _ loop: PlainLoop) {
        guard let reply = state.deliver(delivery, &loop.responder) else { return }
        send(reply, loop)
        advance(Span(), loop)
        read(loop)
    }

    mutating func expire(_ loop: PlainLoop) {
        guard let reply = state.expire(&loop.responder) else { return close(loop) }
        send(reply, loop)
        advance(Span(), loop)
    }

    mutating func drain(_ loop: PlainLoop) {
        state.drain()
        // What has arrived is answered, although nobody has told of it yet.
        hasInput = true
        read(loop)
        advance(Span(), loop)
    }

    private mutating func advance(_ bytes: Span<UInt8>, _ loop: PlainLoop) {
        // One access that is checked, instead of one for each step.
        advance(bytes, &loop.responder, loop)
    }

    private mutating func advance(
        _ bytes: Span<UInt8>,
        _ responder: inout Responder,
        _ loop: PlainLoop
    ) {
        responder.catchUp()
        while let action = state.next(bytes, &responder) {
            switch action {
            case .send(let reply): send(reply, loop)
            case .fetch(let work):
                guard let delivery = loop.run(work, for: key) else { continue }
                if let reply = state.deliver(delivery, &responder) { send(reply, loop) }
            case .flush: flush(loop)
            case .renewDeadline(let deadline): loop.renew(deadline, of: socket)
            case .endOutput:
                if mayCloseAtOnce() { return close(loop) }
                socket.endSending()
                loop.renew(.linger, of: socket)
            case .close: release(loop)
            }
        }
    }

    // MARK: Reading

    private mutating func read(_ loop: PlainLoop) {
        while hasInput, state.canRead {
            switch socket.receive(into: &loop.buffer) {
            case .bytes(let count):
                let isFull = count == loop.buffer.count
                // What comes later is told of; what is there already is not told of again.
                hasInput = isFull || isInputEnding
                receive(loop.buffer.span.extracting(first: count), loop)
                if isFull { return revisit(loop) }
            case .nothing:
                hasInput = false
            case .end:
                state.endInput()
                advance(Span(), loop)
            case .broken:
                close(loop)
            }
        }
    }

    private mutating func receive(_ bytes: Span<UInt8>, _ loop: PlainLoop) {
        state.receive(bytes)
        advance(bytes, loop)
    }

    /// Others have their turn before there is more of this one.
    private mutating func revisit(_ loop: PlainLoop) {
        guard state.stage != .closed else { return }
        do {
            try loop.revisit(socket, key: key)
        } catch {
            close(loop)
        }
    }

    // MARK: Sending

    private mutating func send(_ reply: Reply, _ loop: PlainLoop) {
        reply.forEachPiece { piece in
            let total = output.readableBytes + piece.readableBytes
            if output.readableBytes > 0, total > Self.gatheredMaximum { flush(loop) }
            guard state.stage != .closed else { return }
            if output.readableBytes == 0 {
                output = piece
            } else if state.isBlocked {
                laterOutput.append(piece)
            } else {
                output.writeImmutableBuffer(piece)
            }
        }
        if let part = reply.file, state.stage != .closed { file = part }
    }

    private mutating func flush(_ loop: PlainLoop, isThere: Bool = false) {
        state.isBlocked = false
        while output.readableBytes > 0 {
            switch socket.send(output.readableBytesUInt8Span) {
            case .bytes(0):
                state.isBlocked = true
                return
            case .bytes(let count):
                output.moveReaderIndex(forwardBy: count)
                guard output.readableBytes == 0 else { continue }
                output = laterOutput.isEmpty ? ByteBuffer() : laterOutput.removeFirst()
            case .broken:
                return close(loop)
            }
        }
        sendFile(loop, isThere: isThere)
    }

    /// Its bytes do not come through this process, and no disk is waited for here.
    private mutating func sendFile(_ loop: PlainLoop, isThere: Bool) {
        guard var part = file else { return }
        state.isBlocked = true
        guard !isAwaitingDisk else { return }
        var isThere = isThere
        for _ in 0..<Self.piecesMaximum {
            guard isThere || part.isInMemory(upTo: Self.pieceSize) else {
                isAwaitingDisk = true
                return loop.bringIn(part, upTo: Self.pieceSize, for: key)
            }
            isThere = false
            let wanted = part.count(upTo: Self.pieceSize)
            switch socket.send(part.file, from: part.place, upTo: wanted) {
            case .bytes(0): return
            case .bytes(let count):
                part.drop(count)
                state.take(count)
                file = part.isEmpty ? nil : part
                guard file != nil else {
                    state.isBlocked = false
                    return
                }
            case .broken: return close(loop)
            }
        }
        revisit(loop)
    }

    // MARK: Closing

    /// Whether the client said that it asks for nothing more, and nothing came behind that: what is
    /// unread when a connection is closed resets it.
    private func mayCloseAtOnce() -> Bool {
        guard state.isClientDone else { return false }
        // The loop's buffer may be what is being answered.
        var byte: [UInt8] = [0]
        return switch socket.receive(into: &byte) {
        case .nothing, .end: true
        case .bytes, .broken: false
        }
    }

    mutating func close(_ loop: PlainLoop) {
        if state.close() { release(loop) }
    }

    private mutating func release(_ loop: PlainLoop) {
        output = ByteBuffer()
        laterOutput = []
        file = nil
        loop.remove(socket)
        socket.close()
    }
}
