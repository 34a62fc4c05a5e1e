import Foundation
import Hummingbird
import PlimsollAPI
import PlimsollDomain
import PlimsollStore

/// Reads the parameters of a query, each under its name, and keeps all that is wrong with them.
///
/// What nobody asked for is unknown, and an unknown parameter is refused: a filter that is
/// misspelt and silently ignored would answer another question.
struct QueryReader {
    private var values: [String: [String]] = [:]
    /// The same, with a plus read as a space, as forms write it.
    private var words: [String: [String]] = [:]
    private var known: Set<String> = []
    private var faults: [Problem.Fault] = []
    /// All that is said about a query with too many parameters, whose values nobody looks at.
    private var excess: Problem.Fault?

    /// A filter that is repeated costs the database as often, and every mistake is answered.
    static let parametersMaximum = 100
    /// Apps are one condition, however many: who may read some of them asks for all of those.
    static let appsMaximum = 1000

    init(_ request: Request) {
        let pairs = (request.uri.query ?? "").split(separator: "&")
        let apps = min(pairs.count { $0.hasPrefix("app=") }, Self.appsMaximum)
        guard pairs.count - apps <= Self.parametersMaximum else {
            excess = .tooManyParameters(pairs.count)
            return
        }
        for pair in pairs {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let text = parts.dropFirst().first ?? ""
            guard let name = decoded(parts[0]), let value = decoded(text),
                let words = decoded(text.replacing("+", with: " "))
            else {
                faults.append(
                    Problem.Fault(
                        at: .parameter(shortened(String(parts[0]))),
                        code: "encodingWrong",
                        detail: "The query has a percent sign that begins no UTF-8 character.",
                        remedy: "Encode it as RFC 3986 says."
                    )
                )
                continue
            }
            values[name, default: []].append(value)
            self.words[name, default: []].append(words)
        }
    }

    /// Every value of a parameter that may be repeated.
    mutating func all<Value>(
        _ name: String,
        _ grammar: @autoclosure () -> String,
        _ parse: (String) -> Value?
    ) -> [Value] {
        read(values[name] ?? [], of: name, grammar(), parse)
    }

    /// Every value of a parameter that takes words: a plus between them is a space.
    mutating func allWords<Value>(
        _ name: String,
        _ grammar: @autoclosure () -> String,
        _ parse: (String) -> Value?
    ) -> [Value] {
        read(words[name] ?? [], of: name, grammar(), parse)
    }

    private mutating func read<Value>(
        _ texts: [String],
        of name: String,
        _ grammar: @autoclosure () -> String,
        _ parse: (String) -> Value?
    ) -> [Value] {
        known.insert(name)
        return texts.compactMap { text in
            if let value = parse(text) { return value }
            faults.append(
                Problem.Fault(
                    at: .parameter(name),
                    code: "valueWrong",
                    detail: "\(name) is \"\(shortened(text))\"; it needs to be \(grammar())."
                )
            )
            return nil
        }
    }

    /// The value of a parameter that may stand once.
    mutating func one<Value>(
        _ name: String,
        _ grammar: @autoclosure () -> String,
        _ parse: (String) -> Value?
    ) -> Value? {
        let found = all(name, grammar(), parse)
        if let count = values[name]?.count, count > 1 {
            faults.append(
                Problem.Fault(
                    at: .parameter(name),
                    code: "repeated",
                    detail: "\(name) stands \(count) times; it may stand once."
                )
            )
        }
        return found.first
    }

    /// Refuses a query that leaves the parameter out.
    mutating func require(_ name: String) {
        guard values[name] == nil else { return }
        object(to: name, code: "parameterMissing", "\(name) is needed.")
    }

    /// Says what else is wrong, where two parameters do not go together.
    mutating func object(to name: String, code: String, _ detail: String) {
        faults.append(Problem.Fault(at: .parameter(name), code: code, detail: detail))
    }

    /// Refuses the query if anything is wrong with it.
    consuming func finish() throws(Problem) {
        if let excess { throw Problem(.invalidParameter, detail: excess.detail, errors: [excess]) }
        let unknown = values.keys.filter { !known.contains($0) }.sorted()
        let names = known.sorted().joined(separator: ", ")
        let all =
            faults
            + unknown.map { name in
                Problem.Fault(
                    at: .parameter(shortened(name)),
                    code: "parameterUnknown",
                    detail: "There is no parameter \"\(shortened(name))\" here.",
                    remedy: known.isEmpty ? "Leave it out." : "Known ones are \(names)."
                )
            }
        guard all.isEmpty else {
            throw Problem(.invalidParameter, detail: sentence(for: all), errors: all)
        }
    }

    private func sentence(for faults: [Problem.Fault]) -> String {
        faults.count == 1
            ? faults[0].detail : "\(faults.count) things are wrong with the query."
    }
}

extension Problem.Fault {
    fileprivate static func tooManyParameters(_ count: Int) -> Problem.Fault {
        Problem.Fault(
            at: nil,
            code: "tooManyParameters",
            detail: "The query has \(count) parameters; it may have at most"
                + " \(QueryReader.parametersMaximum), and beside them \(QueryReader.appsMaximum) apps.",
            remedy: "Split it into several requests."
        )
    }
}

/// A plus sign stays one (RFC 3986), because the offset of a time begins with it.
private func decoded(_ text: Substring) -> String? {
    text.removingPercentEncoding
}

/// A caller's own words, short enough to be said back, and without characters that no reader shows.
private func shortened(_ text: String) -> String {
    let shown = text.unicodeScalars.prefix(60).map { scalar in
        hiddenCategories.contains(scalar.properties.generalCategory) ? "\u{FFFD}" : scalar
    }
    let isWhole = shown.count == text.unicodeScalars.count
    return String(String.UnicodeScalarView(shown)) + (isWhole ? "" : "…")
}

private let hiddenCategories: Set<Unicode.GeneralCategory> = [
    .control, .format, .lineSeparator, .paragraphSeparator,
]

/// Parameters that several resources have.
extension QueryReader {
    /// `limit`: how many members of a list at a time.
    mutating func limit(_ usual: Int, most maximum: Int) -> Int {
        one("limit", "a whole number from 1 to \(maximum)") { text in
            Int(text).flatMap { (1...maximum).contains($0) ? $0 : nil }
        } ?? usual
    }

    /// `cursor`: where to go on in the list that answers the question.
    mutating func cursor(of question: [String]) -> Int64? {
        one("cursor", Cursor.grammar) { Cursor($0, of: question) }?.place
    }

    /// `at` and `event`: a point in the life of the service, or now.
    mutating func moment() -> DocumentMoment {
        let time = one("at", Instant.grammar, Instant.init(rfc3339:))
        let event = one("event", Position.grammar) {
            Int64($0).flatMap(Position.init(rawValue:))
        }
        if time != nil, event != nil {
            object(to: "at", code: "twoMoments", "Give a time or an event, but not both.")
        }
        return event.map(DocumentMoment.event) ?? time.map(DocumentMoment.time) ?? .live
    }

    /// An instant or a position.
    mutating func bound(_ name: String) -> EventQuery.Bound? {
        one(name, "\(Instant.grammar), or \(Position.grammar)") { text in
            if let position = Int64(text).flatMap(Position.init(rawValue:)) {
                return .position(position)
            }
            return Instant(rfc3339: text).map { .time($0) }
        }
    }
}
