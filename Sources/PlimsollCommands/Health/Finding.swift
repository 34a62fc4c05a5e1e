import PlimsollAPI
import PlimsollAdmin
import PlimsollJSON

/// What one check of the doctor came to.
struct Finding: Equatable {
    let name: String
    let isGood: Bool
    /// What was found, in a sentence.
    let detail: String
    /// What to do about it.
    let remedy: String?

    static func good(_ name: String, _ detail: String) -> Finding {
        Finding(name: name, isGood: true, detail: detail, remedy: nil)
    }

    static func bad(_ name: String, _ detail: String, _ remedy: String) -> Finding {
        Finding(name: name, isGood: false, detail: detail, remedy: remedy)
    }

    /// What stood in the way of looking.
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
        return .bad(name, legible(detail), remedy)
    }

    var json: JSONObject {
        [
            "name": .string(name), "ok": .bool(isGood), "detail": .string(detail),
            "remedy": JSONValue(remedy),
        ]
    }

    var blocks: [Report.Block] {
        [.check(passed: isGood, "\(name): \(detail)")]
            + (remedy.map { [.line("   → \($0)")] } ?? [])
    }
}
