import ArgumentParser
import PlimsollAPI

/// The executable, as far as it is more than its name.
package enum Program {
    /// Runs the command that the arguments name, and says how it ended.
    package static func run(_ arguments: [String]) async -> Int32 {
        do {
            try refuseForeignWord(arguments.first)
            let command = try Plimsoll.parseAsRoot(expanded(arguments))
            try await run(command)
            return ExitStatus.done.rawValue
        } catch let failure as Failure {
            Channel.standardError.write(failure.lines)
            return failure.status.rawValue
        } catch {
            return end(with: error)
        }
    }

    /// Runs what was parsed; every error that is foreseen becomes a failure.
    private static func run(_ command: sending any ParsableCommand) async throws {
        do {
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                var command = command
                try command.run()
            }
        } catch let error as AdminError {
            throw Failure(error)
        } catch let error as ValidationError {
            throw Failure(.usage, error.message)
        }
    }

    /// What the parser of arguments has to say: help, a version, or what is wrong with them.
    private static func end(with error: any Error) -> Int32 {
        let message = Plimsoll.fullMessage(for: error)
        let code = Plimsoll.exitCode(for: error)
        if !message.isEmpty {
            // It quotes what was given, and that may come from anywhere.
            let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
            (code.isSuccess ? Channel.standardOutput : .standardError).write(lines.map(legible))
        }
        return code == .validationFailure ? ExitStatus.usage.rawValue : code.rawValue
    }
}
