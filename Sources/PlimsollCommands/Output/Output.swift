import Foundation
import PlimsollJSON

/// Where a command's words go: results to standard output, the rest to standard error.
struct Output {
    let format: Format
    let isQuiet: Bool
    private let style: Style
    /// Whether the command that runs may say more than results and errors.
    @TaskLocal static var isTalkative = true
    private let results = Channel.standardOutput
    private let notes = Channel.standardError

    init(_ options: OutputOptions) {
        let isTerminal = Channel.standardOutput.isTerminal
        format = options.format ?? (isTerminal ? .table : .json)
        isQuiet = options.quiet
        style = Style(hasColours: isTerminal && environment["NO_COLOR"].isEmptyOrMissing)
    }

    func show(_ report: Report) {
        results.write(render(report, as: format, style))
    }

    /// A value by itself, for scripts that want nothing around it.
    func show(bare text: String) {
        results.write([text])
    }

    /// A sentence for the person in front of it, left out with `--quiet`.
    func note(_ sentence: String) {
        if !isQuiet { notes.write([sentence]) }
    }

    /// What a question is about: shown to the one who is asked, however results are written.
    func preview(_ blocks: [Report.Block]) {
        notes.write(render(Report([:], blocks), as: .table, .plain))
    }
}

/// What the process was started with.
let environment = ProcessInfo.processInfo.environment

extension String? {
    var isEmptyOrMissing: Bool { self?.isEmpty ?? true }
}
