import Foundation

/// One of the streams that a process writes to.
struct Channel: Sendable {
    let descriptor: Int32

    static let standardOutput = Channel(descriptor: STDOUT_FILENO)
    static let standardError = Channel(descriptor: STDERR_FILENO)

    var isTerminal: Bool { isatty(descriptor) == 1 }

    func write(_ lines: [String]) {
        write(lines.map { $0 + "\n" }.joined())
    }

    func write(_ text: String) {
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
        // A reader that has gone away, such as `head`, wants no more and is told no more.
        try? handle.write(contentsOf: Data(text.utf8))
    }
}
