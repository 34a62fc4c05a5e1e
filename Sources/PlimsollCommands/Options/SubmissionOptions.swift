import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// How a write is made: for real or not, and under which name.
struct SubmissionOptions: ParsableArguments {
    @Flag(help: "Dry run: make all checks and show the effect, but write nothing.")
    var dryRun = false

    @Option(
        help: ArgumentHelp(
            "A key for this write: sent twice with the same key, it happens once.",
            valueName: "key"
        )
    )
    var idempotencyKey: String?

    /// Makes the write; an open outcome is told with the key that makes a repetition safe.
    ///
    /// The input is what was asked under a key, where the body also says what was read for it.
    func write<Result>(
        asked input: String? = nil,
        _ body: (WriteOptions) async throws -> Result
    ) async throws -> Result {
        let mode: WriteOptions.Mode = dryRun ? .dryRun : .commit
        let options =
            idempotencyKey.map { WriteOptions(mode, idempotencyKey: $0, input: input) }
            ?? WriteOptions(mode)
        do {
            return try await body(options)
        } catch let error as AdminError where !dryRun {
            throw Failure(error, writing: options.idempotencyKey)
        }
    }
}

extension SubmissionOptions {
    /// Says that nothing was written, or what came of it where there is something to say.
    func note(_ output: Output, _ done: String? = nil) {
        if dryRun {
            output.noteRehearsal()
        } else if let done {
            output.note(done)
        }
    }
}

extension Output {
    func noteRehearsal() { note("This was a rehearsal; nothing was written.") }
}

/// A reason, which is kept with the event.
func reason(_ text: String?) throws -> Reason? {
    try text.map { text in
        do throws(TextFault) {
            return try Reason(validating: text)
        } catch {
            throw ValidationError("--reason: \(error.sentence)")
        }
    }
}

/// A title of one line.
func title(_ text: String, _ option: String) throws -> Title {
    do throws(TextFault) {
        return try Title(validating: text)
    } catch {
        throw ValidationError("\(option): \(error.sentence)")
    }
}
