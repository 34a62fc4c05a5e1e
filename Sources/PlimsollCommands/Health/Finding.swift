import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// What one check of the doctor came to.
struct Finding: Equatable {
    enum Result: Equatable {
        case good
        case bad
        /// Nobody looked: what was found says why not.
        case unchecked
    }

    let name: String
    let result: Result
    /// What was found, in a sentence.
    let detail: String
    /// What to do about it.
    let remedy: String?

    var isGood: Bool { result == .good }

    static func good(_ name: String, _ detail: String) -> Finding {
        Finding(name: name, result: .good, detail: detail, remedy: nil)
    }

    static func bad(_ name: String, _ detail: String, _ remedy: String) -> Finding {
        Finding(name: name, result: .bad, detail: detail, remedy: remedy)
    }

    static func unchecked(_ name: String, _ why: String, _ remedy: String? = nil) -> Finding {
        Finding(name: name, result: .unchecked, detail: why, remedy: remedy)
    }

    /// What stood in the way of looking; what a caller may not see is no fault of the service.
    static func bad(_ name: String, _ error: any Error, _ remedy: String) -> Finding {
        let failure =
            switch error {
            case let failure as Failure: failure
            case let error as AdminError: Failure(error)
            default: Failure(.failed, "This could not be looked at.")
            }
        let detail =
            ([failure.title] + (failure.detail.map { [$0] } ?? []) + failure.checks.map(\.detail))
            .joined(separator: " ")
        if (error as? AdminError)?.status == 403 {
            return .unchecked(name, legible(detail), "Look with a token that may see it.")
        }
        return .bad(name, legible(detail), remedy)
    }

    var json: JSONObject {
        [
            "name": .string(name), "ok": result == .unchecked ? .null : .bool(isGood),
            "checked": .bool(result != .unchecked), "detail": .string(detail),
            "remedy": JSONValue(remedy),
        ]
    }

    var blocks: [Report.Block] {
        let sentence = "\(name): \(detail)"
        let first: Report.Block =
            result == .unchecked ? .unchecked(sentence) : .check(passed: isGood, sentence)
        return [first] + (remedy.map { [.line("   → \($0)")] } ?? [])
    }
}

extension Instant {
    /// Reads the one form that senders may use: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7).
    init?(httpDate text: String) {
        let parts = text.split(separator: " ").map(String.init)
        guard
            parts.count == 6, parts[5] == "GMT", parts[1].count == 2, parts[3].count == 4,
            let month = CivilTime.months.firstIndex(of: parts[2])
        else { return nil }
        let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
        self.init(rfc3339: "\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z")
    }
}
