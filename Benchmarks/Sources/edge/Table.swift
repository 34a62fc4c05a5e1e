import Foundation

/// Columns of one width.
enum Table {
    static func row(_ cells: [String]) -> String {
        cells.map { cell in
            String(repeating: " ", count: max(1, 9 - cell.count)) + cell
        }.joined()
    }

    static func number(_ value: Double, _ decimals: Int) -> String {
        String(format: "%.\(decimals)f", value)
    }
}
