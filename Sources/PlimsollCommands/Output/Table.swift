/// Rows under headings, the columns as wide as they need to be.
struct Table: Equatable {
    let headings: [String]
    private(set) var rows: [[String]]

    init(_ headings: [String], _ rows: [[String]]) {
        precondition(
            rows.allSatisfy { $0.count == headings.count },
            "every row of a table has a cell under each heading"
        )
        self.headings = headings
        self.rows = rows
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
