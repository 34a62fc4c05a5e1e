import Hummingbird
import PlimsollAPI
import PlimsollDomain

/// What forms hold, as the interface takes it; what it would refuse is refused in its words.
extension Visit {
    /// The value of a field that may be left empty.
    func optional<Value>(
        _ name: String,
        _ read: (String) throws -> Value?
    ) throws -> Value? {
        guard let text = form[name] else { return nil }
        guard let value = try? read(text) else { throw refusal(of: name, text) }
        return value
    }

    func needed<Value>(_ name: String, _ read: (String) throws -> Value?) throws -> Value {
        guard let value = try optional(name, read) else { throw refusal(of: name, nil) }
        return value
    }

    func reason(_ name: String) throws -> Reason { try needed(name, Reason.init(validating:)) }

    /// The problem of a field that says nothing, or what cannot be read.
    func refusal(of name: String, _ text: String?) -> AdminError {
        let label = language["form.\(name)"]
        let detail = language(
            text == nil ? "form.missing" : "form.unreadable",
            ["field": label, "text": text ?? ""]
        )
        let problem = Problem(
            .invalidRequest,
            detail: detail,
            errors: [
                Problem.Fault(
                    at: .parameter(name),
                    code: text == nil ? "missing" : "valueWrong",
                    detail: detail,
                    remedy: language("form.remedy", ["field": label])
                )
            ]
        )
        return AdminError(.refused(problem), url: request.uri.path)
    }
}
