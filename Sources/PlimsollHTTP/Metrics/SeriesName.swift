/// What tells one series from another, as Prometheus writes it.
struct SeriesName: Hashable, Comparable {
    /// Letters, digits and underscores.
    let family: String
    /// Written out and joined: `method="GET",status="200"`.
    let labels: String

    init(_ label: String, _ dimensions: [(String, String)]) {
        family = Self.name(label)
        labels = dimensions.sorted { $0.0 < $1.0 }
            .map { "\(Self.name($0.0))=\"\(Self.escaped($0.1))\"" }.joined(separator: ",")
    }

    static func < (left: SeriesName, right: SeriesName) -> Bool {
        (left.family, left.labels) < (right.family, right.labels)
    }

    private static func name(_ text: String) -> String {
        String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            .replacing("\n", with: "\\n")
    }
}
