import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// Why a command did not do what it was asked, and what to do next.
struct Failure: Error, Equatable {
    var status: ExitStatus
    var title: String
    var detail: String?
    var checks: [Check]
    /// The command to run next.
    var next: String?

    /// One thing that stands in the way.
    struct Check: Equatable {
        let detail: String
        let remedy: String?
    }

    init(
        _ status: ExitStatus = .failed,
        _ title: String,
        detail: String? = nil,
        checks: [Check] = [],
        next: String? = nil
    ) {
        self.status = status
        self.title = title
        self.detail = detail
        self.checks = checks
        self.next = next
    }

    /// What is written to standard error.
    var lines: [String] {
        var lines = ["Error: \(title)"]
        // With one check the detail says the same again.
        if let detail, checks.count != 1 || !checks[0].detail.hasPrefix(detail) {
            lines.append(detail)
        }
        for check in checks {
            lines.append("  - \(check.detail)")
            if let remedy = check.remedy { lines.append("    \(remedy)") }
        }
        if let next { lines.append("Next: \(next)") }
        return lines.map { line in line.split(separator: "\n").map(legible).joined(separator: "\n")
        }
    }
}

extension Failure {
    /// What a person is told of an answer that was not the wanted one.
    init(_ error: AdminError) {
        switch error.kind {
        case .refused(let problem): self.init(problem, at: error.url)
        case .unreachable, .notUnderstood:
            self.init(.failed, error.description, next: "plimsoll doctor")
        case .timedOut, .interrupted:
            let status: ExitStatus = if case .timedOut = error.kind { .timedOut } else { .failed }
            self.init(status, error.description, next: "plimsoll doctor")
        case .answerTooLarge, .cancelled:
            self.init(.failed, error.description)
        }
    }

    private init(_ problem: Problem, at url: String) {
        self.init(
            problem.exitStatus,
            "\(problem.title).",
            detail: problem.requestID.map { id in
                problem.status >= 500 ? "\(problem.detail) (Request \(id).)" : problem.detail
            } ?? problem.detail,
            checks: problem.errors.map { Check($0) },
            next: nextCommand(after: problem, at: url)
        )
    }

    /// The same, for a write whose outcome may be open: what makes a repetition safe.
    init(_ error: AdminError, writing key: String) {
        self.init(error)
        guard error.leavesOutcomeOpen else { return }
        detail =
            (detail.map { "\($0) " } ?? "")
            + "It is not known whether it happened. The same command again with"
            + " --idempotency-key \(key) cannot make it happen twice."
    }
}

extension Failure.Check {
    init(_ fault: Problem.Fault) {
        let place: String? =
            switch fault.place {
            case .body(let pointer) where !pointer.text.isEmpty: pointer.text
            case .parameter(let name): name
            case .header, .body, nil: nil
            }
        let detail = place.map { "\(fault.detail) (\($0))" } ?? fault.detail
        self.init(detail: detail, remedy: fault.remedy)
    }
}

extension Problem {
    /// Whatever else there is, a change that only waits for approvals waits for them.
    fileprivate var exitStatus: ExitStatus {
        if !errors.isEmpty, errors.allSatisfy({ $0.code == "approvalsMissing" }) {
            return .waitsForApproval
        }
        return code?.declaration.exit ?? .failed
    }
}

/// Where to look next, by the first of the things that stand in the way.
private func nextCommand(after problem: Problem, at url: String) -> String? {
    let next = problem.errors.lazy.compactMap { Objection.nextCommands[$0.code] }.first
    return switch next {
    case .command(let command): command
    case .ofChange(let otherwise):
        subject(under: "changes", of: url).map { "plimsoll change show \($0)" } ?? otherwise
    case .ofApp(let command):
        command + (subject(under: "apps", of: url).map { " \($0)" } ?? "")
    case nil: problem.code?.declaration.next
    }
}

/// What an address is about: the part of its path behind `/v1/changes/` or the like.
private func subject(under collection: String, of url: String) -> Substring? {
    guard let start = url.firstRange(of: "/v1/\(collection)/")?.upperBound else { return nil }
    return url[start...].prefix { $0 != "/" && $0 != "?" }
}

extension Failure {
    /// Whether one of the things that stand in the way has an id in it that may be a person's.
    ///
    /// The detail alone, as of a service that is away, may have the id of a request or a write.
    var mayNameSomebody: Bool {
        checks.flatMap { [$0.detail, $0.remedy ?? ""] }.contains { sentence in
            sentence.split { !$0.isHexDigit && $0 != "-" }
                .contains { PrincipalID(String($0)) != nil }
        }
    }

    /// The same with names in place of the ids of those who are known.
    func naming(_ people: People) -> Failure {
        var failure = self
        failure.detail = detail.map(people.naming)
        failure.checks = checks.map { check in
            Check(
                detail: people.naming(in: check.detail),
                remedy: check.remedy.map(people.naming)
            )
        }
        return failure
    }
}

extension ExitStatus {
    var exitCode: ExitCode { ExitCode(rawValue) }
}
