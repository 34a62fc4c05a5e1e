import ArgumentParser

/// How results are written.
struct OutputOptions: ParsableArguments {
    @Option(
        name: .customLong("format"),
        help: "table or json; without it tables on a terminal and JSON elsewhere."
    )
    private var chosen: Format?

    @Flag(name: .customLong("json"), help: "The same as --format json.")
    private var isJSON = false

    @Flag(name: .shortAndLong, help: "Print only results and errors.")
    var quiet = false

    init() {}

    /// For a command that knows more forms.
    init(_ format: Format?, quiet: Bool) {
        chosen = format
        isJSON = false
        self.quiet = quiet
    }

    var format: Format? { isJSON ? .json : chosen }
}

extension Format: ExpressibleByArgument {}
