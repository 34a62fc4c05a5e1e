import ArgumentParser
import Foundation
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import Synchronization

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

    /// A result, or with `--quiet` in place of a table the secret that is in it.
    func show(_ report: Report, orAlone secret: String?) throws(Failure) {
        if isQuiet, format == .table, let secret {
            show(bare: legible(secret))
        } else {
            show(report)
        }
        // It exists and can be shown by nobody again, so it is better shown here than lost.
        if let secret, Channel.outputLoss != nil {
            throw Failure(
                .failed,
                "Standard output did not take the secret: keep it yourself.",
                detail: secret
            )
        }
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
    static func preview(_ blocks: [Report.Block]) {
        Channel.standardError.write(render(Report([:], blocks), as: .table, .plain))
    }
}

/// What the process was started with.
let environment = ProcessInfo.processInfo.environment

extension String? {
    var isEmptyOrMissing: Bool { self?.isEmpty ?? true }
}

/// Text from elsewhere, made harmless for a terminal.
///
/// Control characters could move the cursor and repaint what was shown, and bidirectional ones
/// turn it around; a person decides on what they see here. A tab does neither, and is a space.
func legible(_ text: some StringProtocol) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
        if scalar == "\t" {
            result.append(" ")
        } else if scalar.properties.generalCategory == .control || scalar.isBidirectionalControl {
            result.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
        } else {
            result.append(scalar)
        }
    }
    return String(result)
}

/// An address that was refused, which may be because of a password in it.
func legible(address: String) -> String { legible(ServiceAddress.withoutSecrets(address)) }

/// The text in one line, and no longer than that many characters.
func excerpt(_ text: String, _ lengthMaximum: Int = 60) -> String {
    let line = legible(text.split(separator: "\n").joined(separator: " ⏎ "))
    return line.count <= lengthMaximum ? line : line.prefix(lengthMaximum - 1) + "…"
}

/// How many columns a terminal needs for the text.
func columns(of text: String) -> Int {
    text.reduce(0) { $0 + ($1.unicodeScalars.contains(where: isWide) ? 2 : 1) }
}

/// The blocks that terminals draw two columns wide (Unicode Standard Annex 11).
private func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
        0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
        true
    default: false
    }
}

/// That the service's record may not be what was signed, said once.
final class ReadOnlyWarning: Sendable {
    private let isGiven = Mutex(false)

    func give() {
        let isFirst = isGiven.withLock { isGiven in
            defer { isGiven = true }
            return !isGiven
        }
        guard isFirst else { return }
        Channel.standardError.write([
            "Warning: The service reads only, because its record is not what was signed; this may not"
                + " be what phones are served. plimsoll doctor says more."
        ])
    }
}

/// A result in both of the forms in which it can be read.
struct Report {
    private(set) var json: JSONObject
    let blocks: [Block]

    /// A part of what a person reads.
    enum Block: Equatable {
        case line(String)
        case table(Table)
        /// What a check came to.
        case check(passed: Bool, String)
        /// One that nobody made.
        case unchecked(String)
    }

    /// Of a dry run the result says so.
    init(_ json: JSONObject, _ blocks: [Block], dryRun: Bool = false) {
        self.json = json
        self.blocks = blocks
        if dryRun { self.json["dryRun"] = true }
    }

    init(_ json: JSONObject, lines: [String], dryRun: Bool = false) {
        self.init(json, lines.map(Block.line), dryRun: dryRun)
    }
}

/// A form of results.
enum Format: String, CaseIterable {
    case table
    case json
}

/// The one place where results become text.
func render(_ report: Report, as format: Format, _ style: Style) -> [String] {
    switch format {
    case .json: [String(decoding: report.json.canonicalBytes(), as: UTF8.self)]
    case .table: report.blocks.flatMap { lines(of: $0, style) }
    }
}

private func lines(of block: Report.Block, _ style: Style) -> [String] {
    switch block {
    case .line(let line): [line]
    case .table(let table): table.lines(style)
    case .check(true, let line): ["\(style.good("ok")) \(line)"]
    case .check(false, let line): ["\(style.bad("NO")) \(line)"]
    case .unchecked(let line): ["not checked: \(line)"]
    }
}

/// How a terminal is made to emphasise, if it may.
struct Style: Sendable {
    let hasColours: Bool

    static let plain = Style(hasColours: false)

    func strong(_ text: String) -> String { wrapped(text, "1") }
    func good(_ text: String) -> String { wrapped(text, "32") }
    func bad(_ text: String) -> String { wrapped(text, "31") }

    private func wrapped(_ text: String, _ code: String) -> String {
        hasColours ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}

/// Rows under headings, the columns as wide as they need to be.
struct Table: Equatable {
    let headings: [String]
    let rows: [[String]]

    init(_ headings: [String], _ rows: [[String]]) {
        precondition(
            rows.allSatisfy { $0.count == headings.count },
            "every row of a table has a cell under each heading"
        )
        self.headings = headings
        self.rows = rows
    }

    /// The table, or the sentence that stands for it where it has no rows.
    func blocks(none sentence: String = "There is none.") -> [Report.Block] {
        rows.isEmpty ? [.line(sentence)] : [.table(self)]
    }

    func lines(_ style: Style) -> [String] {
        let widths = headings.indices.map { column in
            ([headings] + rows).map { columns(of: $0[column]) }.max() ?? 0
        }
        let heading = style.strong(line(headings, widths))
        return [heading] + rows.map { line($0, widths) }
    }

    /// The last cell is not padded, so that no line ends in blanks.
    private func line(_ cells: [String], _ widths: [Int]) -> String {
        let padded = zip(cells, widths).map { cell, width in
            cell + String(repeating: " ", count: width - columns(of: cell))
        }
        var line = padded.joined(separator: "  ")
        while line.hasSuffix(" ") { line.removeLast() }
        return line
    }
}

/// That the token ends within two weeks, said once a day.
///
/// When it was said stands in the user's folder for caches, in a file named by the end. Where that
/// cannot be written nothing is said rather than the same with every command.
enum TokenEndWarning {
    private static let notice = Duration.seconds(14 * 86_400)

    static func give(_ end: Instant, at now: Instant = .now) {
        guard end < now.advanced(by: Self.notice), end > now, Output.isTalkative,
            noteOfToday(end, now)
        else { return }
        let days = (end.millisecondsSince1970 - now.millisecondsSince1970) / 86_400_000
        let time = days == 0 ? "within a day" : days == 1 ? "in 1 day" : "in \(days) days"
        Channel.standardError.write([
            "Warning: Your token ends \(time), on \(end). plimsoll token renew makes a new one of it."
        ])
    }

    /// Whether nothing was said today, which is noted now.
    private static func noteOfToday(_ end: Instant, _ now: Instant) -> Bool {
        guard let folder else { return false }
        let file = folder.appendingPathComponent("token-end-\(end.millisecondsSince1970)")
        let today = String(now.rfc3339.prefix(10))
        if let said = try? String(contentsOf: file, encoding: .utf8), said == today { return false }
        do {
            try FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: true
            )
            try Data(today.utf8).write(to: file, options: .atomic)
            return true
        } catch {
            return false
        }
    }

    /// As the XDG Base Directory Specification has it.
    private static var folder: URL? {
        let named = environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let base = named ?? environment["HOME"].map { $0 + "/.cache" }
        return base.map { URL(fileURLWithPath: $0).appendingPathComponent("plimsoll") }
    }
}
