import PlimsollDomain

/// What `/metrics` says, by the names of its series (Prometheus text format 0.0.4).
struct Measurements {
    struct Sample: Equatable {
        let labels: [String: String]
        let value: Double
    }

    /// What the edge of this instance gives phones, of each app.
    static let servedSequence = "plimsoll_snapshot_sequence"

    private var samples: [String: [Sample]] = [:]

    /// Reads those series whose names begin with a text: all, unless one is given.
    init(_ text: String, of prefix: String = "") {
        for line in text.split(separator: "\n")
        where line.hasPrefix(prefix) && !line.hasPrefix("#") {
            guard let (name, sample) = Self.sample(line) else { continue }
            samples[name, default: []].append(sample)
        }
    }

    /// Those of a series, in the order in which they are told.
    subscript(_ name: String) -> [Sample] { samples[name] ?? [] }

    /// What the edge of this instance gives phones; `nil` where it has nothing of the app.
    func served(of app: AppSlug) -> SnapshotSequence? {
        self[Self.servedSequence].first { $0.labels["app"] == app.text }
            .flatMap { Int64(exactly: $0.value) }.flatMap(SnapshotSequence.init(rawValue:))
    }

    /// All of a series together; `nil` where nothing was measured.
    func total(_ name: String) -> Double? {
        samples[name].map { $0.reduce(0) { $0 + $1.value } }
    }

    /// How long it took on average; `nil` where it never happened.
    func mean(_ name: String) -> Double? {
        guard let count = total("\(name)_count"), count > 0 else { return nil }
        return total("\(name)_sum").map { $0 / count }
    }

    /// `name{label="text"} 1`.
    private static func sample(_ line: Substring) -> (String, Sample)? {
        guard let blank = line.lastIndex(of: " "),
            let value = Double(line[line.index(after: blank)...])
        else { return nil }
        let series = line[..<blank]
        guard let brace = series.firstIndex(of: "{"), series.hasSuffix("}") else {
            return (String(series), Sample(labels: [:], value: value))
        }
        let labels = labels(series[series.index(after: brace)...].dropLast())
        return (String(series[..<brace]), Sample(labels: labels, value: value))
    }

    private static func labels(_ text: Substring) -> [String: String] {
        var (labels, rest) = ([String: String](), text)
        while let equals = rest.firstIndex(of: "=") {
            let name = String(rest[..<equals])
            rest = rest[rest.index(after: equals)...].dropFirst()
            labels[name] = quoted(&rest)
            rest = rest.dropFirst(rest.hasPrefix(",") ? 1 : 0)
        }
        return labels
    }

    /// Takes off the text up to the quotation mark that ends it.
    private static func quoted(_ rest: inout Substring) -> String {
        var text = ""
        while let next = rest.popFirst(), next != "\"" {
            guard next == "\\", let escaped = rest.popFirst() else {
                text.append(next)
                continue
            }
            text.append(escaped == "n" ? "\n" : escaped)
        }
        return text
    }
}
