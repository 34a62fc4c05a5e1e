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
            output.noteDryRun()
        } else if let done {
            output.note(done)
        }
    }
}

extension Output {
    func noteDryRun() { note("This was a dry run; nothing was written.") }
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

/// When a change comes into force, and when it ends.
struct ScheduleOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "When it comes into force: with an offset, or as clocks in --time-zone show it.",
            valueName: "time"
        )
    )
    var at: WrittenTime?
    @Option(
        help: ArgumentHelp(
            "When it ends and its fields go back, written likewise.",
            valueName: "time"
        )
    )
    var until: WrittenTime?
    @Option(
        name: [.customLong("time-zone"), .customLong("zone")],
        help: ArgumentHelp(
            "The time zone that the times are of and shown in, such as Europe/London.",
            valueName: "name"
        )
    )
    var timeZone: ZoneClock?

    var isEmpty: Bool { at == nil && until == nil }

    func validate() throws {
        if isEmpty, timeZone != nil {
            throw ValidationError("--time-zone is of a time; give --at or --until.")
        }
        _ = try schedule()
    }

    /// The schedule, if one is asked for.
    func schedule() throws -> Schedule? {
        guard !isEmpty else { return nil }
        return Schedule(
            at: try at.map { try instant($0, "--at") },
            until: try until.map { try instant($0, "--until") },
            timeZone: timeZone?.name ?? .utc
        )
    }

    private func instant(_ written: WrittenTime, _ option: String) throws -> Instant {
        do throws(WrittenTimeFault) {
            return try written.instant(in: timeZone)
        } catch {
            throw ValidationError("\(option): \(error.sentence)")
        }
    }
}

extension WrittenTime: ExpressibleByArgument {
    init?(argument: String) { self.init(argument) }
}

extension ZoneClock: ExpressibleByArgument {
    init?(argument: String) {
        guard let name = TimeZoneName(argument) else { return nil }
        self.init(name)
    }
}
