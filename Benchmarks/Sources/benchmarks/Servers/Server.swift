import Foundation

/// A server under measurement.
final class Server {
    let name: String
    private let process = Process()

    private static let patience = Duration.seconds(600)

    /// Starts it, alone on the first processor if it is told so; returns when it is ready.
    ///
    /// What it says goes to the file.
    init(
        _ name: String,
        _ command: [String],
        alone: Bool,
        output: URL,
        isReady: () -> Bool
    ) throws {
        self.name = name
        try Data().write(to: output)
        let handle = try FileHandle(forWritingTo: output)
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = (alone ? ["taskset", "-c", "0"] : []) + command
        process.standardOutput = handle
        process.standardError = handle
        try process.run()
        let deadline = ContinuousClock.now + Self.patience
        while !isReady() {
            guard process.isRunning, ContinuousClock.now < deadline else {
                process.terminate()
                let words = String(decoding: try Data(contentsOf: output), as: UTF8.self)
                throw Failure(sentence: "\(name) does not start: \(words)")
            }
            Thread.sleep(forTimeInterval: 0.05)
        }
    }

    var id: Int32 { process.processIdentifier }

    func stop() {
        process.terminate()
        process.waitUntilExit()
    }

    /// In seconds, of the process and those it started, as the kernel has counted so far.
    func processorTime() throws -> Double {
        let pids = [process.processIdentifier] + (try children())
        return try pids.reduce(0) { try $0 + ProcessorTime(of: $1).own }
    }

    /// In megabytes, of the process itself.
    func memoryMaximum() throws -> Double {
        try MemoryMaximum(of: process.processIdentifier).megabytes
    }

    /// Counts its memory anew from now on.
    func forgetMemoryMaximum() throws {
        try MemoryMaximum.forget(of: process.processIdentifier)
    }

    private func children() throws -> [Int32] {
        let pid = process.processIdentifier
        let text = try String(
            contentsOfFile: "/proc/\(pid)/task/\(pid)/children",
            encoding: .utf8
        )
        return text.split(separator: " ").compactMap { Int32($0) }
    }
}
