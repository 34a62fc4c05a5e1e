import Foundation

/// Scores as people read them.
struct Table {
    /// What the figures count, such as `events/s`.
    let unit: String
    let scores: [Score]

    func show() {
        let heading = [
            "", unit, "yardstick", unit, "ratio", "lowest–highest", "target", "",
        ]
        let rows = [heading] + scores.map(cells)
        let widths = heading.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        for row in rows {
            let line = row.indices.map { column in
                let blanks = String(repeating: " ", count: widths[column] - row[column].count)
                return [0, 2].contains(column) ? row[column] + blanks : blanks + row[column]
            }
            print("  " + line.joined(separator: "  "))
        }
    }

    private func cells(_ score: Score) -> [String] {
        let ratios = score.ratios
        let ratio = median(ratios)
        return [
            score.subject, number(score.subjectMedian), score.yardstick,
            number(score.yardstickMedian), decimals(ratio, 2),
            "\(decimals(ratios.first ?? ratio, 2))–\(decimals(ratios.last ?? ratio, 2))",
            wanted(score.target), verdict(score.target.isMet(by: ratio)),
        ]
    }

    private func number(_ value: Double) -> String {
        decimals(value, value < 100 ? 2 : 0)
    }

    private func wanted(_ target: Score.Target) -> String {
        switch target {
        case .atLeast(let limit): "≥ \(decimals(limit, 2))"
        case .atMost(let limit): "≤ \(decimals(limit, 2))"
        case .none: ""
        }
    }

    private func verdict(_ isMet: Bool?) -> String {
        isMet.map { $0 ? "met" : "missed" } ?? ""
    }
}

func decimals(_ value: Double, _ count: Int) -> String { String(format: "%.\(count)f", value) }

/// Says what was found where there is no yardstick.
func line(_ found: String, _ wanted: String, _ isMet: Bool) {
    print("  \(found); wanted \(wanted): \(isMet ? "met" : "missed")")
}
