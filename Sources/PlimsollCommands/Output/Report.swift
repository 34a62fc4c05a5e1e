import PlimsollJSON

/// A result in both of the forms in which it can be read.
struct Report {
    let json: JSONObject
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

    init(_ json: JSONObject, _ blocks: [Block]) {
        self.json = json
        self.blocks = blocks
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
