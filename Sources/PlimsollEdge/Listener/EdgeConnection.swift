import PlimsollLog
import PlimsollSystem

/// Decides what one client's connection does, without doing it.
///
/// It knows no socket, no channel and no clock. Its carrier moves the bytes: it tells what happened,
/// and then does what ``next(_:_:)`` says until there is nothing more.
///
/// All complete requests of one read are answered with one flush. While the client does not take its
/// answers, nothing more is read from it, so what a connection can hold is bounded.
struct EdgeConnection: ~Copyable {
    /// It goes from one to the next, or to the last at once.
    enum Stage {
        /// Requests are answered.
        case serving
        /// The last answer is on its way; what still comes is thrown away until the client
        /// closes. A close with unread bytes would reset the connection, and the client might
        /// lose the answer.
        case lingering
        /// Whatever happens now, nothing is done.
        case closed
    }

    enum Action {
        /// It may be kept until the next flush.
        case send(Reply)
        /// ``deliver(_:_:)`` is told what came of it.
        case fetch(DeferredWork)
        /// What was sent goes out as far as the client takes it; ``isBlocked`` is told how far.
        case flush
        /// From now on the client has the whole of this time again.
        case renewDeadline(Deadline)
        /// No answer follows. The time to linger begins when this is out.
        case endOutput
        /// Both sides are at their end.
        case close
    }

    /// What a client has so much time for.
    enum Deadline {
        /// To end a head that has begun.
        case head
        /// To begin one, or to take what was sent.
        case idle
        /// To close after the last answer.
        case linger
    }

    /// The requests of one read, or those that had to wait.
    private struct Batch {
        /// Where the next request begins.
        var place = 0
        var isOpen = false
        var hasAnswers = false
        /// What is left has no end yet: a head, or a head with a part of its body.
        var isWithinHead = false
    }

    /// What arrived of requests that are not answered yet.
    private var input: [UInt8] = []
    /// The next answer comes later.
    private var awaited: LateRequest?
    /// A head has ended, and its body has not.
    private var body: BodyNotes?
    private var batch = Batch()
    /// How much of a long answer was taken since the client was given more time.
    private var takenCount = 0
    private(set) var stage = Stage.serving
    /// The client does not take what was sent.
    var isBlocked = false
    private var isUnflushed = false
    /// What was sent last goes on with a file: no answer may follow before a flush that knows of it.
    private var isFileUnflushed = false
    private var dueDeadline: Deadline?
    private var isHeadBegun = false
    private var isDraining = false
    private var isInputEnded = false
    /// The client has said that it sends no more, and nothing came behind that.
    private(set) var isClientDone = false
    private var isOutputEnded = false

    /// So much of a long answer a client has to take in the time that it has for a short one.
    static let takenMinimum = 262_144

    private var canAnswer: Bool {
        stage == .serving && !isBlocked && !isFileUnflushed && awaited == nil
    }

    /// Whether more may be read from the client.
    var canRead: Bool { !isInputEnded && (canAnswer || stage == .lingering) }

    // MARK: What happened

    /// Bytes came; ``next(_:_:)`` is given the same.
    mutating func receive(_ bytes: Span<UInt8>) {
        if stage == .serving, !input.isEmpty || !canAnswer { input.append(copying: bytes) }
        resume()
    }

    /// What it waited for may be over.
    mutating func resume() {
        batch.isOpen = true
    }

    /// The client sends no more.
    mutating func endInput() {
        isInputEnded = true
        if stage == .serving { linger() }
    }

    /// What has begun to arrive is answered, and then no more.
    mutating func drain() {
        isDraining = true
        resume()
    }

    /// The client took more of a long answer; ``next(_:_:)`` may give it time for the rest.
    mutating func take(_ count: Int) {
        takenCount += count
        guard takenCount >= Self.takenMinimum else { return }
        takenCount = 0
        dueDeadline = .idle
    }

    /// The answer to who waits for one; nil where nobody does any more.
    mutating func deliver(_ delivery: Delivery, _ responder: inout Responder) -> Reply? {
        takeAwaited().map { conclude(responder.reply(delivery, to: $0)) }
    }

    /// The answer to a request that takes too long to come; nil where there is nothing to say, and
    /// the connection is to be closed.
    mutating func expire(_ responder: inout Responder) -> Reply? {
        guard stage == .serving, isHeadBegun else { return nil }
        return conclude(responder.refusal(.tooSlow))
    }

    /// Says whether it was open.
    @discardableResult
    mutating func close() -> Bool {
        guard stage != .closed else { return false }
        stage = .closed
        (input, body) = ([], nil)
        return true
    }

    // MARK: What is next

    /// What the carrier does next, with the bytes that came last; nil until something happens.
    mutating func next(_ bytes: Span<UInt8>, _ responder: inout Responder) -> Action? {
        guard stage != .closed else { return nil }
        if let action = answer(bytes, &responder) { return action }
        if isUnflushed {
            // It may find room where the answers before did not.
            (isUnflushed, isFileUnflushed) = (false, false)
            return .flush
        }
        if batch.isOpen { endBatch(bytes) }
        if let deadline = dueDeadline {
            dueDeadline = nil
            return .renewDeadline(deadline)
        }
        return stage == .lingering && !isBlocked ? end() : nil
    }

    /// Answers a request that is complete, as long as the client takes it.
    @inline(__always)
    private mutating func answer(_ bytes: Span<UInt8>, _ responder: inout Responder) -> Action? {
        guard batch.isOpen, !batch.isWithinHead, canAnswer else { return nil }
        var place = batch.place
        let count = input.isEmpty ? bytes.count : input.count
        guard place < count else { return nil }
        if let body {
            batch.isWithinHead = count - place < body.length
            guard !batch.isWithinHead else { return nil }
            self.body = nil
        }
        let turn =
            input.isEmpty
            ? responder.turn(bytes, from: &place, isDraining: isDraining)
            : responder.turn(input.span, from: &place, isDraining: isDraining)
        batch.place = place
        switch turn {
        case .reply(let reply):
            batch.hasAnswers = true
            isClientDone = reply.endsRequests && place == count
            return .send(conclude(reply))
        case .later(let work, let request):
            batch.hasAnswers = true
            awaited = request
            return .fetch(work)
        case .incomplete:
            batch.isWithinHead = true
            return nil
        case .withinBody(let notes):
            batch.isWithinHead = true
            body = notes
            guard notes.isInvited else { return nil }
            isUnflushed = true
            return .send(Reply(answer: .goAhead, headOnly: true, isLast: false))
        }
    }

    private mutating func conclude(_ reply: Reply) -> Reply {
        isUnflushed = true
        if reply.file != nil { isFileUnflushed = true }
        if reply.isLast { linger() }
        return reply
    }

    private mutating func endBatch(_ bytes: Span<UInt8>) {
        if stage == .serving {
            keepRest(of: bytes)
            noteDeadline()
            if isDraining, canAnswer, input.isEmpty { linger() }
        }
        batch = Batch()
    }

    private mutating func keepRest(of bytes: Span<UInt8>) {
        if input.isEmpty {
            input.append(copying: bytes.extracting(batch.place...))
        } else if batch.place == input.count {
            // The memory is given back.
            input = []
        } else {
            input.removeFirst(batch.place)
        }
    }

    private mutating func noteDeadline() {
        // Nothing could be done, so nothing has changed.
        guard batch.hasAnswers || canAnswer else { return }
        // Who does not take answers is not read from, and cannot end a head.
        let isWithinHead = batch.isWithinHead && canAnswer
        // However slowly a head drips in, its time began with its first byte.
        if isWithinHead, isHeadBegun, !batch.hasAnswers { return }
        isHeadBegun = isWithinHead
        dueDeadline = isWithinHead ? .head : .idle
    }

    // MARK: The end

    private mutating func linger() {
        stage = .lingering
        (input, body) = ([], nil)
        // The time to linger begins when the answers are out.
        dueDeadline = .idle
    }

    private mutating func end() -> Action? {
        if isInputEnded {
            stage = .closed
            return .close
        }
        guard !isOutputEnded else { return nil }
        isOutputEnded = true
        return .endOutput
    }

    private mutating func takeAwaited() -> LateRequest? {
        resume()
        defer { awaited = nil }
        return stage == .serving ? awaited : nil
    }
}
