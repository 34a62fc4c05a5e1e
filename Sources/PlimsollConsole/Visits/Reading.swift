import Foundation
import Hummingbird
import PlimsollAPI
import PlimsollDomain

/// What forms hold, as the interface takes it; what it would refuse is refused in its words.
extension Visit {
    /// The value of a field that may be left empty; `words` is what the page calls it.
    func optional<Value>(
        _ name: String,
        called words: String? = nil,
        _ read: (String) throws -> Value?
    ) throws -> Value? {
        guard let text = form[name] else { return nil }
        let value: Value?
        do {
            value = try read(text)
        } catch {
            throw refusal(of: name, text, "\(error)", called: words)
        }
        guard let value else { throw refusal(of: name, text, called: words) }
        return value
    }

    /// What the address asks for; what it says and nobody understands is refused.
    func asked<Value>(_ name: String, _ read: (String) -> Value?) throws -> Value? {
        guard let text = query[name] else { return nil }
        guard let value = read(text) else { throw refusal(of: name, text) }
        return value
    }

    /// The same of what may be asked for more than once; `label` is the key of what the page calls it.
    func askedAll<Value>(
        _ name: String,
        called label: String? = nil,
        _ read: (String) -> Value?
    ) throws -> [Value] {
        let texts = query.all(name).map { $0.trimmingCharacters(in: .whitespaces) }
        return try texts.filter { !$0.isEmpty }.map { text in
            guard let value = read(text) else {
                throw refusal(of: name, text, called: label.map { language[$0] })
            }
            return value
        }
    }

    func needed<Value>(_ name: String, _ read: (String) throws -> Value?) throws -> Value {
        guard let value = try optional(name, read) else { throw refusal(of: name, nil) }
        return value
    }

    /// A version as the platform writes it; what is none is refused with how that is.
    func version(_ name: String, on platform: Platform) throws -> VersionValue {
        try needed(name) { text -> VersionValue? in
            let kind = platform.versionKind
            guard let version = VersionValue(text: text, kind) else {
                throw Miswritten(Objection.valueOfWrongKind(kind, at: "/value").detail)
            }
            return version
        }
    }

    var reasonIfAny: Reason? { get throws { try optional("reason", Reason.init(validating:)) } }

    func reason(_ name: String) throws -> Reason { try needed(name, Reason.init(validating:)) }

    /// The reason that was typed to do this; other forms of the page have one of the same name.
    func reasonTyped(to act: String) -> String? {
        request.uri.path.hasSuffix("/\(act)") ? form["reason"] : nil
    }

    /// When it is to be applied, as it was written.
    func schedule() throws -> Schedule? {
        guard form.has("at"), form["at"] != nil || form["until"] != nil else { return nil }
        let clock = try needed("zone") { text -> ZoneClock? in
            guard let clock = TimeZoneName(text).flatMap(ZoneClock.init) else {
                throw Miswritten(language["form.zoneWritten"])
            }
            return clock
        }
        return Schedule(
            at: try optional("at") { try instant($0, in: clock) },
            until: try optional("until") { try instant($0, in: clock) },
            timeZone: clock.name
        )
    }

    private func instant(_ text: String, in clock: ZoneClock) throws -> Instant {
        guard let written = WrittenTime(text) else {
            throw Miswritten(language["form.timeWritten"])
        }
        return try written.instant(in: clock)
    }

    /// The problem of a field that says nothing, or what cannot be read.
    func refusal(
        of name: String,
        _ text: String?,
        _ why: String? = nil,
        called label: String? = nil
    ) -> AdminError {
        let label = label ?? self.label(of: name)
        let own = text == nil ? "needed.\(name)" : ""
        var detail = language[own]
        var remedy: String?
        if !language.keys.contains(own) {
            let key = text == nil ? "form.missing" : "form.unreadable"
            let cause = language(key, ["field": label, "text": excerpt(text ?? "")])
            let told = why.map { language.translations(.refusal, $0) ?? $0 }
            detail = [cause, told].compactMap(\.self).joined(separator: " ")
            remedy = language("form.remedy", ["field": label])
        }
        let fault = Problem.Fault(
            at: .parameter(name),
            code: text == nil ? "missing" : "valueWrong",
            detail: detail,
            remedy: remedy
        )
        let problem = Problem(.invalidRequest, detail: detail, errors: [fault])
        return AdminError(.refused(problem), url: request.uri.path)
    }

    /// What was typed, as far as it is of use to read it again.
    func excerpt(_ text: String) -> String {
        text.count > 80 ? "\(text.prefix(80))…" : text
    }

    /// What a field of a form is called on the page.
    private func label(of name: String) -> String {
        guard let field = Field(path: name) else { return language["form.\(name)"] }
        return "\(field.platform.name) \(field.name(language))"
    }
}

/// What was typed is not written as it has to be; says how that is.
private struct Miswritten: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

extension Position {
    init?(typed text: String) {
        guard let number = Int64(text) else { return nil }
        self.init(rawValue: number)
    }
}

extension ChangeID {
    init?(typed text: String) {
        guard let number = Int64(text) else { return nil }
        self.init(rawValue: number)
    }
}
