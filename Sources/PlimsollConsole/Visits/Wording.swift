import HTTPTypes
import PlimsollAPI
import PlimsollDomain

/// How sentences of the interface read on a page: people and fields are called what pages call them.
struct Wording {
    let language: Language
    let names: Names
    /// What was asked for, where places of a refusal count it.
    var operations: [TypedOperation] = []

    func callAsFunction(_ sentence: String, as kind: Translations.Kind = .refusal) -> String {
        let told = (language.translations(kind, sentence) ?? sentence).replacing(Self.path) {
            match in
            let path = String(match.output)
            return Field(path: path)?.longName(language)
                ?? ThresholdPlace(path: path)?.longName(language)
                ?? textInAllLanguages(path)
                ?? ThresholdName(rawValue: path).map { language["threshold.\($0.rawValue)"] }
                ?? path
        }
        // Last, since people may be called as fields are.
        return names.naming(in: told)
    }

    /// As `ios.minimumApp.value`, without a point that ends the sentence, or `minimumApp` alone.
    private static var path: Regex<Substring> {
        /(?:android|ios|jvm|macos)(?:\.[A-Za-z][A-Za-z0-9-]*)+|\b(?:minimum|recommended)(?:App|OS)\b/
    }

    /// As `ios.minimumApp.description`, of which a sentence names the languages itself.
    private func textInAllLanguages(_ path: String) -> String? {
        guard let dot = path.lastIndex(of: "."),
            let place = ThresholdPlace(path: String(path[..<dot])),
            let part = TextPart(rawValue: String(path[path.index(after: dot)...]))
        else { return nil }
        return "\(place.longName(language)): \(language["text.\(part.rawValue)"])"
    }

    /// All that was found, each with what to do about it; what the summary says is not repeated.
    func fields(of problem: Problem) -> Fields {
        guard problem.code != .keyReused else { return fields(ofSentBefore: problem) }
        let only = problem.errors.count == 1 ? problem.errors.first : nil
        let isRepeated = only.map { problem.detail.hasSuffix($0.detail) } ?? false
        let detail = isRepeated ? only.map(told) ?? problem.detail : self(problem.detail)
        let faults = problem.errors.compactMap { fault -> Fields? in
            let (said, remedy) = (told(fault), fault.remedy.map { self($0) })
            guard said == detail else {
                return Fields(all: ["detail": said, "remedy": remedy, "about": control(of: fault)])
            }
            return remedy.map { Fields(all: ["detail": $0, "remedy": nil, "about": nil]) }
        }
        return Fields(all: [
            "title": title(of: problem), "detail": detail, "request": problem.requestID,
            "about": isRepeated ? only.flatMap(control) : nil, "faults": faults,
        ])
    }

    /// Of a form, whose key nobody sees.
    private func fields(ofSentBefore problem: Problem) -> Fields {
        Fields(all: [
            "title": language["problem.sentBefore"], "detail": language["problem.sentBeforeDone"],
            "request": problem.requestID, "about": nil, "faults": [] as [Fields],
        ])
    }

    /// What its kind is called; as the interface has it where the language has no words for it.
    func title(of problem: Problem) -> String {
        language.translations(.problem, problem.type) ?? problem.title
    }

    /// What is wrong, and with which part of the form.
    private func told(_ fault: Problem.Fault) -> String {
        [place(of: fault), self(fault.detail)].compactMap(\.self).joined(separator: ": ")
    }

    /// What the form calls the place; `nil` where it has no name for it, or where the sentence has it.
    private func place(of fault: Problem.Fault) -> String? {
        guard case .body(let pointer)? = fault.place else { return nil }
        let steps = steps(of: pointer)
        guard let first = steps.first else { return nil }
        guard let operation = operation(at: steps)?.operation else {
            let key = "form.\(first)"
            if language.keys.contains(key) { return language[key] }
            return ReleaseFactName(rawValue: first)?.name(language)
        }
        return operation.field?.longName(language) ?? operation.place?.longName(language)
    }

    /// The control of a form that the fault is about, as requests call it, but for where a rollback
    /// leads: forms have a control of that name for something else.
    private func control(of fault: Problem.Fault) -> String? {
        switch fault.place {
        case .parameter(let name): return name
        case .body(let pointer):
            let steps = steps(of: pointer)
            guard let typed = operation(at: steps) else {
                return steps.first == "to" ? "target" : steps.first
            }
            return typed.control
        case .header, nil: return nil
        }
    }

    private func steps(of pointer: Pointer) -> [String] {
        pointer.text.split(separator: "/").map(String.init)
    }

    /// The operation that a place counts, if it counts one of those that were asked for.
    private func operation(at steps: [String]) -> TypedOperation? {
        guard steps.first == "operations", steps.count > 1, let number = Int(steps[1]),
            operations.indices.contains(number)
        else { return nil }
        return operations[number]
    }
}

extension Wording {
    func callAsFunction(_ requirement: ApprovalRequirement) -> String {
        self(requirement.words(), as: .phrase)
    }

    func callAsFunction(_ void: ApprovalVoid) -> String { self(void.sentence(), as: .clause) }

    func fields(of difference: Difference, isOfPolicy: Bool = false) -> Fields {
        let told = told(difference, isOfPolicy)
        return Fields(all: [
            "subject": told.subject, "member": told.member, "before": told.before,
            "after": told.after,
        ])
    }

    func sentence(of difference: Difference, isOfPolicy: Bool) -> String {
        let (told, unset) = (told(difference, isOfPolicy), language["table.notSet"])
        return "\(told.subject) \(told.before ?? unset) → \(told.after ?? unset)"
    }

    /// Only what a policy says is told: a name or a build is what somebody wrote.
    private func told(_ difference: Difference, _ isOfPolicy: Bool) -> Difference {
        func value(_ text: String?) -> String? {
            text.map { isOfPolicy ? self($0, as: .clause) : $0 }
        }
        return Difference(
            member: difference.member,
            subject: self(difference.subject, as: .clause),
            before: value(difference.before),
            after: value(difference.after)
        )
    }
}

extension ThresholdPlace {
    /// Such as `iOS: Minimum app`.
    fileprivate func longName(_ language: Language) -> String {
        "\(platform.name): \(language["threshold.\(name.rawValue)"])"
    }
}

extension Problem {
    /// Whether it says why this is not done: a service that reads only, or lacks a key, is there and
    /// answers, and so is its database.
    var isRefusal: Bool { status < 500 || isReadOnly || code == .keyUnusable }
}

extension Visit {
    /// A refusal, with names as far as they can be had.
    func fields(of problem: Problem) async -> Fields {
        wording(try? await names()).fields(of: problem)
    }

    /// Says on a page what was refused; what is no refusal is thrown on.
    func tell(_ error: AdminError, on page: inout Page) async throws(AdminError) {
        guard let problem = error.problem, problem.isRefusal else { throw error }
        page.status = HTTPResponse.Status(code: problem.status)
        page.fields["problem"] = await fields(of: problem)
    }

    func wording(_ names: Names?) -> Wording {
        Wording(language: language, names: names ?? Names([:]))
    }
}
