import Foundation

/// Other programs, found by name.
enum Program {
    /// What it wrote, once it has ended well.
    static func output(_ command: [String]) throws -> String {
        let process = make(command)
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(sentence: "\(command[0]) ended with \(process.terminationStatus)")
        }
        return String(decoding: data, as: UTF8.self)
    }

    static func make(_ command: [String]) -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        return process
    }
}
