import Foundation
import PlimsollSystem
import Testing

/// Runs a program, and answers what it writes.
@discardableResult
func output(of program: String, _ arguments: [String]) throws -> [UInt8] {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(program) \(arguments)")
    return Array(bytes)
}

/// Runs the body with a new folder and removes it afterwards, whatever happens.
func withFolder<Answer>(_ body: (Path) async throws -> Answer) async throws -> Answer {
    let name = "plimsoll-devices-\(UUID().uuidString)"
    let folder = Path(NSTemporaryDirectory() + name)
    try folder.createFolder()
    let result: Result<Answer, any Error>
    do {
        result = .success(try await body(folder))
    } catch {
        result = .failure(error)
    }
    try folder.removeTree()
    return try result.get()
}
