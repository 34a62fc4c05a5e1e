/// The time that `--wait` without a value means.
let waitUsual = "30s"

/// Gives an option that may stand without a value the value it then means.
///
/// The parser knows options with a value and flags without; `--wait` may be either, so that a
/// responder has nothing to look up.
func expanded(_ arguments: [String]) -> [String] {
    var expanded: [String] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
        if argument == "--" { return expanded + [argument] + rest }
        let hasValue = rest.first.map { Duration(written: $0) != nil } ?? false
        expanded.append(argument == "--wait" && !hasValue ? "--wait=\(waitUsual)" : argument)
    }
    return expanded
}

extension Duration {
    /// Reads `500ms`, `30s`, `5m`, `12h` and `30d`.
    init?(written text: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int64(digits), (1...9).contains(digits.count) else { return nil }
        switch text.dropFirst(digits.count) {
        case "ms": self = .milliseconds(number)
        case "s": self = .seconds(number)
        case "m": self = .seconds(number * 60)
        case "h": self = .seconds(number * 3600)
        case "d": self = .seconds(number * 86_400)
        default: return nil
        }
    }

    static let grammar = "a time such as 500ms, 30s, 5m, 12h or 30d"
}
