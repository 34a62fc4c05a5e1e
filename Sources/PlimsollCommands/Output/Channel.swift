import Foundation
import PlimsollAPI
import Synchronization
import SystemPackage

/// One of the streams that a process writes to.
struct Channel: Sendable {
    let descriptor: Int32

    static let standardOutput = Channel(descriptor: STDOUT_FILENO)
    static let standardError = Channel(descriptor: STDERR_FILENO)

    private static let loss = Mutex<Errno?>(nil)

    /// Why standard output did not take something, if that was so.
    static var outputLoss: Errno? { loss.withLock { $0 } }

    var isTerminal: Bool { isatty(descriptor) == 1 }

    func write(_ lines: [String]) {
        write(lines.map { $0 + "\n" }.joined())
    }

    func write(_ text: String) {
        do {
            try FileDescriptor(rawValue: descriptor).writeAll(text.utf8)
        } catch {
            guard descriptor == STDOUT_FILENO else { return }
            Self.loss.withLock { $0 = $0 ?? error as? Errno ?? .ioError }
        }
    }
}

extension Failure {
    /// That a result got lost; `nil` too where its reader has gone away, such as `head`, which wants
    /// no more.
    static var ofOutput: Failure? {
        guard let loss = Channel.outputLoss, loss != .brokenPipe else { return nil }
        return Failure(.failed, "Standard output did not take all of the result: \(loss).")
    }
}
