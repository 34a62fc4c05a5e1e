import Foundation
import Hummingbird
import PlimsollAPI

/// The names and values of a form or a query, in their order (WHATWG URL, 5.1).
struct FormFields: Equatable, Sendable {
    let pairs: [(name: String, value: String)]
    /// The first of each name.
    private let values: [String: String]

    init(_ pairs: [(name: String, value: String)] = []) {
        self.pairs = pairs
        values = Dictionary(pairs.map { ($0.name, $0.value) }) { first, _ in first }
    }

    /// No form of the console has as many: of those that it has hundreds of, each takes more bytes, and a
    /// body has only so many.
    static let pairsMaximum = Request.bodyBytesMaximum / 16

    /// Reads `application/x-www-form-urlencoded`; `nil` where its percent signs hide no UTF-8, or where it
    /// has too many fields.
    init?(encoded text: some StringProtocol) {
        var pairs: [(name: String, value: String)] = []
        let parts = text.split(separator: "&", maxSplits: Self.pairsMaximum)
        guard parts.count <= Self.pairsMaximum else { return nil }
        for part in parts {
            let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = decoded(halves[0]),
                let value = decoded(halves.count > 1 ? halves[1] : "")
            else { return nil }
            pairs.append((name, value))
        }
        self.init(pairs)
    }

    static func == (left: FormFields, right: FormFields) -> Bool {
        left.pairs.elementsEqual(right.pairs) { $0 == $1 }
    }

    /// The value without blanks around it; `nil` where it is missing or says nothing.
    subscript(_ name: String) -> String? {
        let value = whole(name)?.trimmingCharacters(in: .whitespacesAndNewlines)
        return value?.isEmpty == false ? value : nil
    }

    /// The value as it was sent, with the line ends that everything else has here.
    func whole(_ name: String) -> String? {
        values[name]?.replacing("\r\n", with: "\n")
    }

    func all(_ name: String) -> [String] { pairs.filter { $0.name == name }.map(\.value) }

    func has(_ name: String) -> Bool { values[name] != nil }

    /// Those that somebody typed: what the console adds of its own begins with an underscore.
    var typed: FormFields { FormFields(pairs.filter { !$0.name.hasPrefix("_") }) }

    /// For templates, which go through them.
    var fields: [Fields] { pairs.map { ["name": $0.name, "value": $0.value] } }

    func without(_ name: String) -> FormFields { FormFields(pairs.filter { $0.name != name }) }

    /// As an address has them.
    var encoded: String { ServiceAddress.query(pairs) }
}

private func decoded(_ text: some StringProtocol) -> String? {
    text.replacingOccurrences(of: "+", with: " ").removingPercentEncoding
}
