import Foundation

/// A table as people paste it: from a file, or out of a spreadsheet.
struct PastedTable: Equatable {
    /// Comma-separated, without blank lines around it.
    let csv: String
    /// What the columns are, where the table does not say it; `nil` where it does.
    let columns: String?

    init(_ text: String) {
        let lines = text.trimmingCharacters(in: .whitespacesAndNewlines)
            .split(separator: "\n", omittingEmptySubsequences: false)
        let first = lines.first ?? ""
        let separator = ["\t", ";"].first { first.contains($0) } ?? ","
        let rows = lines.map { line in
            line.components(separatedBy: separator)
                .map { $0.trimmingCharacters(in: .whitespaces) }
        }
        csv = rows.map { $0.joined(separator: ",") }.joined(separator: "\n")
        let isHead = first.contains { $0.isLetter }
        columns = isHead ? nil : rows.first?.count == 3 ? "app,os,devices" : "app,devices"
    }
}
