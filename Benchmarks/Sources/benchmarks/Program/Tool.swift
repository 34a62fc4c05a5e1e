import Subprocess

/// Other programs, found by name.
enum Tool {
    private static let outputSizeMaximum = 1 << 20

    /// What it wrote, once it has ended well.
    static func output(_ name: String, _ arguments: [String]) async throws -> String {
        let result = try await Subprocess.run(
            .name(name),
            arguments: Arguments(arguments),
            output: .string(limit: outputSizeMaximum),
            error: .string(limit: outputSizeMaximum)
        )
        guard result.terminationStatus.isSuccess else {
            throw Failure(sentence: "\(name) failed: \(result.standardError)")
        }
        return result.standardOutput
    }
}
