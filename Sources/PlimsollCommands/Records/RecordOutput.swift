import ArgumentParser
import PlimsollAPI

/// How the record is written: as results are, or copied whole in a form for programs.
struct RecordOutput: ParsableArguments {
    @Option(
        name: .customLong("format"),
        help: """
            table, json, ndjson or csv; without it tables on a terminal and JSON elsewhere. ndjson \
            and csv are copied as they come, all of it unless --limit is given, with a last line \
            that says how much there was.
            """
    )
    private var chosen: RecordFormat?

    @Flag(name: .customLong("json"), help: "The same as --format json.")
    private var isJSON = false

    @Flag(name: .shortAndLong, help: "Print only results and errors.")
    var quiet = false

    func validate() throws {
        guard isJSON, chosen == .ndjson || chosen == .csv else { return }
        throw ValidationError("--json is --format json; leave out the one or the other.")
    }

    /// `nil` where results are written as those of any command.
    var form: RecordForm? {
        switch chosen {
        case .ndjson: .ndjson
        case .csv: .csv
        case .table, .json, nil: nil
        }
    }

    var usual: OutputOptions {
        let format: Format? =
            switch chosen {
            case .table: .table
            case .json: .json
            case .ndjson, .csv, nil: nil
            }
        return OutputOptions(isJSON ? .json : format, quiet: quiet)
    }
}

enum RecordFormat: String, CaseIterable, ExpressibleByArgument {
    case table
    case json
    case ndjson
    case csv
}

extension EventFilter.Order: ExpressibleByArgument {}
