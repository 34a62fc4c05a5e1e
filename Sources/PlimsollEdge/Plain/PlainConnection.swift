import NIOCore
import PlimsollLog
import PlimsollSystem

/// One client's connection without encryption: reads heads, sends ready answers.
///
/// All complete requests of one read are answered together. While the client does not take its
/// answers, nothing more is read from it, so what a connection can hold is bounded.
final class PlainConnection {
    enum Stage {
        /// Requests are answered.
        case serving
        /// The last answer is on its way; what still comes is thrown away until the client
        /// closes. A close with unread bytes would reset the connection, and the client might
        /// lose the answer.
        case lingering
        case closed
    }

    let socket: Socket
    /// Under which its loop knows it.
    let key: UInt64
    private(set) var stage = Stage.serving
    /// What arrived of requests that are not answered yet.
    private var input: [UInt8] = []
    /// What the system has not taken yet.
    private var output = ByteBuffer()
    /// What comes after it: pieces of one answer at most, which share their bytes with the table.
    private var laterOutput: [ByteBuffer] = []
    /// The next answer comes from the disk.
    private var awaitedTile: TileRequest?
    /// The system had no room for all of the output.
    private var isBlocked = false
    /// There may be something to read.
    private var hasInput = false
    /// The client sends no more; the end may still be unread.
    private var isInputEnding = false
    private var isInputClosed = false
    private var isHeadBegun = false

    /// Answers are copied together up to so many bytes; others are sent as they lie.
    private static let gatheredMaximum = 8192

    init(_ socket: Socket, key: UInt64) {
        self.socket = socket
        self.key = key
    }

    private var canAnswer: Bool { !isBlocked && awaitedTile == nil }

    private var canRead: Bool {
        switch stage {
        case .serving: canAnswer && !isInputClosed
        case .lingering: !isInputClosed
        case .closed: false
        }
    }

    // MARK: Readiness

    func proceed(_ event: Poll.Event, _ loop: PlainLoop) {
        if event.isReadable || event.isOver { hasInput = true }
        if event.isEnded { isInputEnding = true }
        if event.isOver, !canRead { return close(loop) }
        if event.isWritable, isBlocked { resume(loop) }
        read(loop)
    }

    // MARK: Reading

    private func read(_ loop: PlainLoop) {
        while hasInput, canRead {
            switch socket.receive(into: &loop.buffer) {
            case .bytes(let count):
                let isFull = count == loop.buffer.count
                // What comes later is told of; what is there already is not told of again.
                hasInput = isFull || isInputEnding
                if stage == .serving { take(count, loop) }
                if isFull { return revisit(loop) }
            case .nothing:
                hasInput = false
            case .end:
                isInputClosed = true
                if stage == .serving {
                    finish(loop)
                } else if !isBlocked {
                    close(loop)
                }
            case .broken:
                close(loop)
            }
        }
    }

    /// Others have their turn before there is more of this one.
    private func revisit(_ loop: PlainLoop) {
        guard stage != .closed else { return }
        do {
            try loop.revisit(self)
        } catch {
            close(loop)
        }
    }

    /// Answers what is complete of what the loop's buffer begins with and came before.
    private func take(_ count: Int, _ loop: PlainLoop) {
        guard input.isEmpty else {
            input += loop.buffer[..<count]
            return serveInput(loop)
        }
        let consumed = serve(loop.buffer.span.extracting(0..<count), loop)
        if stage == .serving, consumed < count { input = Array(loop.buffer[consumed..<count]) }
    }

    private func serveInput(_ loop: PlainLoop) {
        let bytes = input
        let consumed = serve(bytes.span, loop)
        if stage == .serving, consumed > 0 { input = Array(bytes[consumed...]) }
    }

    // MARK: Answering

    /// Says how many bytes were answered; the rest has to wait.
    private func serve(_ bytes: Span<UInt8>, _ loop: PlainLoop) -> Int {
        loop.desk.catchUp()
        var progress = Progress()
        repeat {
            answer(bytes, &progress, loop)
            // It may find room where the answers before did not.
            flush(loop)
        } while goesOn(bytes, progress)
        noteDeadline(progress, loop)
        return progress.place
    }

    private func goesOn(_ bytes: Span<UInt8>, _ progress: Progress) -> Bool {
        progress.place < bytes.count && !progress.isWithinHead && canAnswer && stage == .serving
    }

    /// Answers what is complete, as long as the client takes it.
    private func answer(_ bytes: Span<UInt8>, _ progress: inout Progress, _ loop: PlainLoop) {
        while goesOn(bytes, progress) {
            let turn = loop.desk.turn(
                bytes,
                from: &progress.place,
                limits: loop.limits,
                isDraining: loop.isDraining
            )
            switch turn {
            case .reply(let reply): put(reply, loop)
            case .tile(let address, let tiles, let request): fetch(address, tiles, request, loop)
            case .incomplete: return progress.isWithinHead = true
            }
            progress.answered += 1
        }
    }

    private func put(_ reply: Reply, _ loop: PlainLoop) {
        reply.forEachPiece { piece in
            let total = output.readableBytes + piece.readableBytes
            if output.readableBytes > 0, total > Self.gatheredMaximum { flush(loop) }
            guard stage == .serving else { return }
            if output.readableBytes == 0 {
                output = piece
            } else if isBlocked {
                laterOutput.append(piece)
            } else {
                output.writeImmutableBuffer(piece)
            }
        }
        if reply.isLast, stage == .serving { beginToLinger(loop) }
    }

    private func fetch(
        _ address: TileAddress,
        _ tiles: PublishedTiles,
        _ request: TileRequest,
        _ loop: PlainLoop
    ) {
        if loop.fetch(address, from: tiles, for: self) {
            awaitedTile = request
        } else {
            put(loop.desk.refusalOfTile(request), loop)
        }
    }

    func deliver(_ resource: PreparedResource?, _ loop: PlainLoop) {
        guard let request = awaitedTile else { return }
        awaitedTile = nil
        guard stage == .serving else { return }
        put(loop.desk.reply(resource, to: request), loop)
        resume(loop)
        read(loop)
    }

    /// Goes on where it had to wait.
    private func resume(_ loop: PlainLoop) {
        flush(loop)
        guard canAnswer, stage == .serving else { return }
        serveInput(loop)
        guard canAnswer, stage == .serving else { return }
        if loop.isDraining, input.isEmpty { finish(loop) }
    }

    // MARK: Sending

    private func flush(_ loop: PlainLoop) {
        guard stage != .closed else { return }
        isBlocked = false
        while output.readableBytes > 0 {
            switch socket.send(output.readableBytesUInt8Span) {
            case .bytes(0):
                isBlocked = true
                return
            case .bytes(let count):
                output.moveReaderIndex(forwardBy: count)
                guard output.readableBytes == 0 else { continue }
                output = laterOutput.isEmpty ? ByteBuffer() : laterOutput.removeFirst()
            case .broken:
                return close(loop)
            }
        }
        if stage == .lingering { endOutput(loop) }
    }

    // MARK: Ending

    /// Ends the connection when its answers are out.
    private func finish(_ loop: PlainLoop) {
        beginToLinger(loop)
        flush(loop)
    }

    private func beginToLinger(_ loop: PlainLoop) {
        stage = .lingering
        input = []
        // The time to linger begins when the answers are out.
        loop.renewDeadline(of: self, loop.patience.idle)
    }

    private func endOutput(_ loop: PlainLoop) {
        guard !isInputClosed else { return close(loop) }
        socket.endSending()
        loop.renewDeadline(of: self, loop.patience.linger)
    }

    private func noteDeadline(_ progress: Progress, _ loop: PlainLoop) {
        guard stage == .serving else { return }
        // Who does not take answers is not read from, and cannot end a head.
        let isWithinHead = progress.isWithinHead && canAnswer
        // However slowly a head drips in, its time began with its first byte.
        if isWithinHead, isHeadBegun, progress.answered == 0 { return }
        isHeadBegun = isWithinHead
        loop.renewDeadline(of: self, isWithinHead ? loop.patience.head : loop.patience.idle)
    }

    func expire(_ loop: PlainLoop) {
        guard stage == .serving, isHeadBegun else { return close(loop) }
        put(loop.desk.refusal(.tooSlow), loop)
        flush(loop)
    }

    func drain(_ loop: PlainLoop) {
        // What has arrived is answered, although nobody has told of it yet.
        hasInput = true
        read(loop)
        guard stage == .serving, canAnswer, input.isEmpty else { return }
        finish(loop)
    }

    func close(_ loop: PlainLoop) {
        guard stage != .closed else { return }
        stage = .closed
        input = []
        output = ByteBuffer()
        laterOutput = []
        loop.remove(self)
        socket.close()
    }
}

/// How far the bytes of one read were answered.
private struct Progress {
    /// Where the next request begins.
    var place = 0
    var answered = 0
    /// What is left has no end yet.
    var isWithinHead = false
}
