import NIOCore
import PlimsollSystem

/// Who a file is sent to in pieces.
protocol FileTaker: AnyObject {
    /// Whether what it was given before is out, but for a little.
    var takesMore: Bool { get }
    func take(_ piece: ByteBuffer, isLast: Bool)
    /// The file cannot be read any more.
    func giveUp()
}

/// Sends a file to a client whose bytes are encrypted, never more than a piece ahead of what it takes.
final class FilePump {
    private weak var taker: (any FileTaker)?
    private let loop: EncryptedLoop
    private var rest: FilePart
    /// The disk is asked, or others have their turn.
    private var isWaiting = false
    private var isPumping = false

    /// What one download holds in memory at most, besides what the system does.
    private static let pieceSize = 32_768
    /// After so many pieces others have their turn.
    private static let piecesMaximum = 8

    init(_ part: FilePart, to taker: any FileTaker, on loop: EncryptedLoop) {
        (rest, self.taker, self.loop) = (part, taker, loop)
    }

    private(set) var isOver = false

    /// Sends what the client takes now; called again whenever it takes more.
    func pump() {
        guard !isPumping else { return }
        isPumping = true
        defer { isPumping = false }
        for _ in 0..<Self.piecesMaximum {
            guard !isOver, !isWaiting, let taker, taker.takesMore else { return }
            let count = rest.count(upTo: Self.pieceSize)
            guard let bytes = rest.file.bytesInMemory(at: rest.place, upTo: count) else {
                return read()
            }
            give(bytes)
        }
        yield()
    }

    /// Nothing more is sent; the file is closed when nobody waits for the disk.
    func stop() {
        isOver = true
    }

    private func give(_ bytes: [UInt8]) {
        rest.drop(bytes.count)
        isOver = rest.isEmpty
        taker?.take(ByteBuffer(bytes: bytes), isLast: rest.isEmpty)
    }

    private func read() {
        isWaiting = true
        loop.read(rest, upTo: Self.pieceSize) { [self] bytes in
            isWaiting = false
            guard !isOver else { return }
            guard let bytes else {
                taker?.giveUp()
                return
            }
            give(bytes)
            pump()
        }
    }

    private func yield() {
        isWaiting = true
        let bound = NIOLoopBound(self, eventLoop: loop.eventLoop)
        loop.eventLoop.execute {
            bound.value.isWaiting = false
            bound.value.pump()
        }
    }
}
