import Foundation

/// What a program took that ended well.
struct ToolRun {
    /// In seconds.
    let duration: Double
    /// How much memory it had at its most, as of the last look, in millions of bytes.
    let memoryMaximum: Double

    private static let looksApart = 0.05

    /// Runs a program to its end, and looks at its memory all the while.
    init(_ program: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        let start = ContinuousClock.now
        try process.run()
        var memory = 0.0
        while process.isRunning {
            // Of a process that has just ended nothing is known any more.
            if let seen = try? MemoryMaximum(of: process.processIdentifier) {
                memory = max(memory, seen.megabytes)
            }
            Thread.sleep(forTimeInterval: Self.looksApart)
        }
        process.waitUntilExit()
        duration = start.duration(to: .now) / .seconds(1)
        memoryMaximum = memory
        guard process.terminationStatus == 0 else {
            let line = ([program] + arguments.prefix(2)).joined(separator: " ")
            throw Failure(sentence: "\(line) ended with \(process.terminationStatus)")
        }
    }
}
