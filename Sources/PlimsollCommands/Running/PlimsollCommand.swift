import ArgumentParser
import Foundation
import PlimsollAPI
import PlimsollDomain

/// A command with a result.
protocol PlimsollCommand: AsyncParsableCommand {
    var output: OutputOptions { get }

    func execute(_ output: Output) async throws -> ExitStatus
}

extension PlimsollCommand {
    func run() async throws { try await carryOut(self) }
}

/// Executes any command, and ends the program as it says; by itself it would be compiled for each.
private func carryOut(_ command: any PlimsollCommand) async throws {
    let status = try await Output.$isTalkative.withValue(!command.output.quiet) {
        try await command.execute(Output(command.output))
    }
    if let failure = Failure.ofOutput { throw failure }
    guard status == .done else { throw status.exitCode }
}

/// What nearly every command has, in the order of its help: whom it asks, and how it answers.
struct CommonOptions: ParsableArguments {
    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions
}

/// A command that has those.
protocol CommonCommand: PlimsollCommand {
    var common: CommonOptions { get }
}

extension CommonCommand {
    var service: ServiceOptions { common.service }
    var output: OutputOptions { common.output }
}

/// A command that asks the service and shows what it says.
protocol ReadingCommand: CommonCommand {
    func report(_ client: AdminClient, _ output: Output) async throws -> Report
}

extension ReadingCommand {
    func execute(_ output: Output) async throws -> ExitStatus {
        try await show(self, output)
        return .done
    }
}

/// Asks the service, and shows what it says; apart for the same reason.
private func show(_ command: any ReadingCommand, _ output: Output) async throws {
    try await command.service.withClient { client in
        output.show(try await command.report(client, output))
    }
}

/// A command that changes something at the service, or the options that several of them share.
///
/// What is sent is made of the options first, and what is wrong with them is told before anybody is
/// asked. Then ``write(_:_:_:_:receipt:)`` finds out what is named, sends the form and shows what
/// came of it.
protocol Writing {
    var submission: SubmissionOptions { get }
    var service: ServiceOptions { get }
}

/// What is shown of an answer, and said once it was no dry run.
struct Receipt {
    let blocks: [Report.Block]
    let done: String?

    init(_ blocks: [Report.Block], _ done: String? = nil) {
        (self.blocks, self.done) = (blocks, done)
    }
}

extension Writing {
    /// Sends a form about what is named, and shows the answer.
    func write<Names, Body: Form, Outcome: Answer>(
        _ endpoint: Write<Names, Body, Outcome>,
        _ names: (AdminClient) async throws -> Names,
        _ form: Body,
        _ output: Output,
        asked input: String? = nil,
        receipt: (Outcome) -> Receipt
    ) async throws -> ExitStatus {
        try await submit(names, output, asked: input) { client, names, options in
            try await client.call(endpoint, names, form, options)
        } receipt: { answer, _, _ in
            let receipt = receipt(answer)
            output.show(Report(answer.json, receipt.blocks, dryRun: submission.dryRun))
            return receipt.done
        }
    }

    /// Sends a form of which nothing is left to show.
    func write<Names, Body: Form>(
        _ endpoint: Write<Names, Body, DryRunAnswer>,
        _ names: (AdminClient) async throws -> Names,
        _ form: Body,
        _ output: Output,
        done: (Names) -> String
    ) async throws -> ExitStatus {
        try await submit(names, output) { client, names, options in
            try await client.call(endpoint, names, form, options)
        } receipt: { _, names, _ in
            done(names)
        }
    }

    /// Writes in a way of its own; the receipt shows the answer, and answers what is said of it.
    func submit<Names, Outcome>(
        _ names: (AdminClient) async throws -> Names,
        _ output: Output,
        asked input: String? = nil,
        _ call: (AdminClient, Names, WriteOptions) async throws -> Outcome,
        receipt: (Outcome, Names, AdminClient) async throws -> String?
    ) async throws -> ExitStatus {
        try await service.withClient { client in
            let names = try await names(client)
            let answer = try await submission.write(asked: input) {
                try await call(client, names, $0)
            }
            submission.note(output, try await receipt(answer, names, client))
            return .done
        }
    }
}

/// What most commands that change something have in common, in the order of their help.
struct WritingOptions: ParsableArguments {
    @OptionGroup var submission: SubmissionOptions
    @OptionGroup var common: CommonOptions
}

/// A command that has those.
protocol FormCommand: CommonCommand, Writing {
    var writing: WritingOptions { get }
}

extension FormCommand {
    var submission: SubmissionOptions { writing.submission }
    var common: CommonOptions { writing.common }
}

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
    /// The input is what was asked under a key, where the body also says what was read for it. It goes
    /// with every key: whoever repeats the write names the one that it had.
    func write<Result>(
        asked input: String? = nil,
        _ body: (WriteOptions) async throws -> Result
    ) async throws -> Result {
        let options = WriteOptions(
            dryRun ? .dryRun : .commit,
            idempotencyKey: idempotencyKey,
            input: input
        )
        do {
            return try await body(options)
        } catch let error as AdminError where !dryRun {
            throw Failure(error, writing: options.idempotencyKey)
        }
    }
}

extension SubmissionOptions {
    /// Whether there may be an answer from before, whatever has become of the rest since.
    var mayRepeat: Bool { idempotencyKey != nil && !dryRun }

    /// What a dry run leads to, for somebody to agree to.
    ///
    /// Where there may be an answer from before a refusal is only shown, and `nil` is answered: what
    /// was done already is often refused a second time.
    func preview<Result>(
        _ body: (WriteOptions) async throws -> Result
    ) async throws -> Result? {
        do {
            return try await body(WriteOptions(.dryRun))
        } catch let error as AdminError where mayRepeat && [409, 422].contains(error.status) {
            Output.preview([
                .line("Unless it was done under this key before, it is refused now:"),
                .line(legible(error.description)),
            ])
            return nil
        }
    }

    /// Says that nothing was written, or what came of it where there is something to say.
    func note(_ output: Output, _ done: String? = nil) {
        if dryRun {
            output.noteDryRun()
        } else if let done {
            output.note(done)
        }
    }
}

extension Output {
    func noteDryRun() { note("This was a dry run; nothing was written.") }
}

/// Asks before something is done that others will feel.
struct Confirmation: ParsableArguments {
    @Flag(help: "Do it without asking; needed where there is no terminal to ask on.")
    var yes = false

    private var canAsk: Bool {
        isatty(STDIN_FILENO) == 1 && Channel.standardError.isTerminal
    }

    /// Refuses to go on where nobody can be asked, before anything is shown or done.
    func check() throws {
        guard yes || canAsk else {
            throw Failure(
                .usage,
                "This has to be confirmed, and there is no terminal to ask on.",
                next: "the same command with --yes"
            )
        }
    }

    /// Returns once somebody agreed; a terminal is asked, and never a pipe.
    func obtain(_ question: String) throws {
        if yes { return }
        try check()
        Channel.standardError.write("\(question) [y/N] ")
        let answer = readLine()?.lowercased() ?? ""
        guard ["y", "yes"].contains(answer) else {
            throw Failure(.failed, "Nothing was done, because it was not confirmed.")
        }
    }

    /// The same; of a dry run nobody is asked.
    func obtain(_ question: String, for submission: SubmissionOptions) throws {
        if !submission.dryRun { try obtain(question) }
    }
}
