import ArgumentParser
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import PlimsollServer

/// `plimsoll export`: what was published at an earlier event, to be looked at.
struct ExportCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write what was published at an earlier event, for inspection.",
        discussion: """
            The documents are made anew from the record, byte for byte as phones were served them \
            then, in the form of an export directory. They are marked as an inspection and nobody \
            signs them: no edge serves them, no store takes them for live, and no phone believes \
            them. It works on the database itself, as plimsoll rebuild does, and needs no private \
            key. A folder has to be empty, and a store must have nothing live under the prefix.

            Examples:
              plimsoll export --at-event 1234 --to /tmp/as-it-was --data /var/lib/plimsoll
              plimsoll export --at-event 1234 --to s3://audits/2026-11 --app harbour
            """
    )

    @Option(help: ArgumentHelp("The event whose state is wanted.", valueName: "event"))
    var atEvent: Int64
    @Option(help: ArgumentHelp("A folder, or s3://bucket/prefix.", valueName: "place"))
    var to: String
    @Option(help: "The app's slug; may be left out where there is one app.")
    var app: AppSlug?
    @OptionGroup var place: DatabaseOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard atEvent > 0 else {
            throw ValidationError("--at-event needs the number of an event, from 1.")
        }
    }

    func execute(_ output: Output) async throws -> ExitStatus {
        let isStore = to.hasPrefix("s3://")
        guard let event = Position(rawValue: atEvent),
            let destination = InspectionPlace(
                isStore ? to : absolutePath(to),
                environment: environment
            )
        else {
            throw Failure(.usage, "--to needs \(InspectionPlace.grammar).")
        }
        let outcome: PastPublication.Outcome
        do {
            outcome = try await PastPublication(place.database(for: "plimsoll export"))
                .write(app, at: event, to: destination)
        } catch let failure as PastPublicationFailure {
            throw Failure(failure)
        }
        output.show(report(outcome))
        return .done
    }

    private func report(_ outcome: PastPublication.Outcome) -> Report {
        let json: JSONObject = [
            "app": .string(outcome.app.text), "event": .integer(outcome.event.rawValue),
            "sequence": .integer(outcome.sequence.rawValue),
            "files": .array(outcome.files.map { .string($0) }), "to": .string(to),
        ]
        let line =
            "\(outcome.app) at event \(outcome.event), sequence \(outcome.sequence): "
            + "\(outcome.files.count) files in \(to), for inspection only"
        return Report(json, [.check(passed: true, legible(line))])
    }
}

extension Failure {
    fileprivate init(_ failure: PastPublicationFailure) {
        switch failure {
        case .unreadable(let sentence):
            self.init(
                .failed,
                legible(sentence),
                detail: "The database has to run; plimsoll serve starts a private one.",
                next: "plimsoll verify log"
            )
        case .notYet(let event, let newest):
            self.init(.failed, "Event \(event) has not happened; the newest is \(newest).")
        case .appNotNamed(let slugs):
            let names = slugs.map(\.text).joined(separator: ", ")
            self.init(
                .usage,
                slugs.isEmpty ? "There was no app then." : "There were several apps: \(names).",
                next: "the same command with --app"
            )
        case .notPublished(let app, let event):
            self.init(.failed, "Nothing of \(app) was published at event \(event).")
        case .notWritten(let sentence): self.init(.failed, legible(sentence))
        }
    }
}
