/// How long something took, as bars: how often it took up to so long.
struct HistogramBars {
    private struct Bar {
        let bound: String
        let count: Int
    }

    private static let width = 600
    private static let height = 120

    private let bars: [Bar]

    /// `nil` where it never happened, so that there is nothing to draw.
    init?(_ buckets: [Measurements.Sample]) {
        var earlier = 0.0
        bars = buckets.map { bucket in
            defer { earlier = bucket.value }
            return Bar(bound: bucket.labels["le"] ?? "", count: Int(bucket.value - earlier))
        }
        guard bars.contains(where: { $0.count > 0 }) else { return nil }
    }

    func fields(_ language: Language) -> Fields {
        let step = Self.width / bars.count
        let most = max(1, bars.map(\.count).max() ?? 1)
        let told = bars.filter { $0.count > 0 }.map { bar in
            language("health.bar", ["bound": name(bar), "count": bar.count])
        }
        return [
            "width": Self.width, "height": Self.height + 36,
            "words": told.joined(separator: "; "),
            "bars": bars.enumerated().map { index, bar in
                let length = bar.count * Self.height / most
                return [
                    "left": index * step, "top": Self.height + 12 - length,
                    "wide": step - 4, "length": length,
                    "middle": index * step + step / 2 - 2, "label": name(bar),
                    "labelTop": Self.height + 28, "count": bar.count, "isSome": bar.count > 0,
                    "countTop": Self.height + 8 - length,
                ] as Fields
            },
        ]
    }

    private func name(_ bar: Bar) -> String {
        bar.bound == "+Inf" ? "> 15 s" : "≤ \(bar.bound) s"
    }
}
