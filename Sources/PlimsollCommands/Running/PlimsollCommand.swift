import ArgumentParser

/// A command with a result.
protocol PlimsollCommand: AsyncParsableCommand {
    var output: OutputOptions { get }

    func execute(_ output: Output) async throws -> ExitStatus
}

extension PlimsollCommand {
    func run() async throws {
        let status = try await Output.$isTalkative.withValue(!output.quiet) {
            try await execute(Output(output))
        }
        guard status == .done else { throw status.exitCode }
    }
}
