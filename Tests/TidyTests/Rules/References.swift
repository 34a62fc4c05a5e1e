/// Names that a reference page lists and the code defines: the two have to be the same.
enum References {
    /// The names in backticks in a column of the page's tables.
    static func names(on page: TextFile, column: Int) -> Set<String> {
        let cells = page.lines.filter { $0.hasPrefix("|") }.compactMap { line -> Substring? in
            let cells = line.split(separator: "|")
            return column < cells.count ? cells[column] : nil
        }
        return Set(
            cells.flatMap { cell in cell.matches(of: #/`([^`]+)`/#).map { String($0.output.1) } }
        )
    }

    /// The raw values of the cases that the file declares: given, or the case's own name.
    static func rawValues(in file: TextFile) -> Set<String> {
        Set(
            file.lines.compactMap { line in
                line.wholeMatch(of: #/ *case (\w+)(?: = "([^"]+)")?/#).map { match in
                    String(match.output.2 ?? match.output.1)
                }
            }
        )
    }

    /// The texts that cases are mapped to: `case .one: "one"`.
    static func mappedTexts(in file: TextFile) -> Set<String> {
        Set(
            file.lines.compactMap { line in
                line.wholeMatch(of: #/ *case \.\w+: "(\w+)"/#).map { String($0.output.1) }
            }
        )
    }
}
