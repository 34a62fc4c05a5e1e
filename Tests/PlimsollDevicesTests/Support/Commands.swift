import Foundation
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
