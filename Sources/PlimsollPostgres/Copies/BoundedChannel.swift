import Synchronization

/// Hands pieces from one task to another, in their order; a few may lie between them, no more.
///
/// Exactly one task sends and one takes: a second one would take the place of the first where it waits.
package final class BoundedChannel<Piece: Sendable>: Sendable {
    private struct State {
        var pieces: [Piece] = []
        var hasEnded = false
        var isForsaken = false
        var sender: Waiter<Void>?
        var taker: Waiter<Void>?
    }

    private let state = Mutex(State())
    private let piecesMaximum: Int

    package init(piecesMaximum: Int) {
        self.piecesMaximum = piecesMaximum
    }

    /// Lays a piece down as soon as there is room; answers whether anybody wants more.
    package func send(_ piece: Piece) async -> Bool {
        while true {
            let (wait, taker) = state.withLock { state -> (Waiter<Void>?, Waiter<Void>?) in
                guard !state.isForsaken else { return (nil, nil) }
                guard state.pieces.count < piecesMaximum else {
                    let waiter = Waiter<Void>()
                    state.sender = waiter
                    return (waiter, nil)
                }
                state.pieces.append(piece)
                return (nil, state.taker.take())
            }
            taker?.resume(())
            guard let wait else { return state.withLock { !$0.isForsaken } }
            await wait.value()
        }
    }

    /// Says that there are no more pieces.
    package func end() {
        let taker = state.withLock { state in
            state.hasEnded = true
            return state.taker.take()
        }
        taker?.resume(())
    }

    /// Takes the next piece; `nil` when there will be none.
    package func next() async -> Piece? {
        while true {
            let (piece, wait, sender) = state.withLock {
                state -> (Piece?, Waiter<Void>?, Waiter<Void>?) in
                if !state.pieces.isEmpty {
                    return (state.pieces.removeFirst(), nil, state.sender.take())
                }
                guard !state.hasEnded else { return (nil, nil, nil) }
                let waiter = Waiter<Void>()
                state.taker = waiter
                return (nil, waiter, nil)
            }
            sender?.resume(())
            guard let wait else { return piece }
            await wait.value()
        }
    }

    /// Says that no more pieces are wanted.
    package func forsake() {
        let sender = state.withLock { state in
            state.isForsaken = true
            state.pieces = []
            return state.sender.take()
        }
        sender?.resume(())
    }
}

/// Items that were folded, on their way back to the task that read them.
///
/// Memory is freed fastest where it was taken: freed elsewhere, a quarter of a replay's time went into that.
final class FoldedItems<Item: Sendable>: Sendable {
    private let batches = Mutex<[[Item]]>([])

    func give(_ items: [Item]) {
        batches.withLock { $0.append(items) }
    }

    func free() {
        let freed = batches.withLock { batches in
            let freed = batches
            batches = []
            return freed
        }
        _ = consume freed
    }
}
