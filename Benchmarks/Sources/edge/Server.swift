import Foundation

/// A server under measurement, alone on the first processor.
final class Server {
    let name: String
    let port: Int
    private let process: Process

    private static let startsWithin = 100

    /// Returns when the port answers.
    init(_ name: String, _ command: [String], port: Int) throws {
        self.name = name
        self.port = port
        process = Program.make(["taskset", "-c", "0"] + command)
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        for _ in 0..<Self.startsWithin {
            if (try? Program.output(["curl", "-s", "-o", "/dev/null", url("/")])) != nil { return }
            Thread.sleep(forTimeInterval: 0.1)
        }
        throw Failure(sentence: "\(name) does not answer on port \(port)")
    }

    func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    func stop() {
        process.terminate()
        process.waitUntilExit()
    }

    /// In seconds, of the process and those it started, as the kernel has counted so far.
    func processorTime() throws -> Double {
        let pids = [process.processIdentifier] + (try children())
        return try pids.reduce(0) { try $0 + Self.processorTime(of: $1) }
    }

    private func children() throws -> [Int32] {
        let pid = process.processIdentifier
        let text = try String(
            contentsOfFile: "/proc/\(pid)/task/\(pid)/children",
            encoding: .utf8
        )
        return text.split(separator: " ").compactMap { Int32($0) }
    }

    /// The fields behind the name in parentheses, which may itself have blanks.
    private static func processorTime(of pid: Int32) throws -> Double {
        let text = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12])
        else { throw Failure(sentence: "the processor time of \(pid) is not known") }
        return (user + system) / 100
    }
}
