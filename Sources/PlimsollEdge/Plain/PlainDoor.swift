import PlimsollSystem

/// Where clients come in, kept by one loop, which gives every loop its turn.
final class PlainDoor {
    /// So many are let in before others are answered again.
    static let batch = 8

    private let socket: ListeningSocket
    /// In turn; the first is the loop that keeps the door.
    private let loops: [LoopMailbox]
    private var turn = 0
    /// There was no room for whoever stands outside.
    var isShut = false
    let onTick: () -> Void

    init(_ socket: ListeningSocket, to loops: [LoopMailbox], onTick: @escaping () -> Void) {
        precondition(!loops.isEmpty, "somebody has to answer")
        self.socket = socket
        self.loops = loops
        self.onTick = onTick
    }

    var number: CInt { socket.number }

    func accept() -> ListeningSocket.Accepted { socket.accept() }

    /// Who gets the next one; `nil` for the loop that keeps the door.
    func nextLoop() -> LoopMailbox? {
        turn = (turn + 1) % loops.count
        return turn == 0 ? nil : loops[turn]
    }

    func close() {
        socket.close()
    }
}
