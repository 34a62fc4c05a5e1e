/// Why a service did not do what it was asked.
package struct AdminError: Error, Equatable, Sendable {
    /// What kept the service from it, as far as can be told from here.
    package enum Kind: Equatable, Sendable {
        /// The service said no, and why.
        case refused(Problem)
        /// There was no connection, so nothing was asked.
        case unreachable(String)
        /// The connection broke on the way; what became of a write is not known.
        case interrupted(String)
        /// No answer came in time; what became of a write is not known.
        case timedOut(Duration)
        case answerTooLarge(maximum: Int)
        /// Something answered that is not this service, or a service that speaks differently.
        case notUnderstood(status: Int, String)
        case cancelled
    }

    package let kind: Kind
    package let url: String

    init(_ kind: Kind, url: String) {
        self.kind = kind
        self.url = url
    }

    /// The status of the answer; `nil` where there was none.
    package var status: Int? {
        switch kind {
        case .refused(let problem): problem.status
        case .notUnderstood(let status, _): status
        case .unreachable, .interrupted, .timedOut, .answerTooLarge, .cancelled: nil
        }
    }

    package var problem: Problem? {
        if case .refused(let problem) = kind { problem } else { nil }
    }

    /// Whether a write may have happened although nobody said so.
    package var leavesOutcomeOpen: Bool {
        switch kind {
        case .interrupted, .timedOut, .answerTooLarge, .notUnderstood, .cancelled: true
        case .refused(let problem): problem.status >= 500 && !problem.isReadOnly
        case .unreachable: false
        }
    }
}

extension AdminError {
    var isInterruption: Bool {
        if case .interrupted = kind { true } else { false }
    }
}

extension AdminError: CustomStringConvertible {
    package var description: String {
        switch kind {
        case .refused(let problem): "\(problem.title). \(problem.detail)"
        case .unreachable(let cause): "The service at \(url) cannot be reached: \(cause)."
        case .interrupted(let cause): "The service at \(url) did not answer: \(cause)."
        case .timedOut(let limit): "The service at \(url) did not answer within \(limit)."
        case .answerTooLarge(let maximum):
            "The answer of \(url) is too large; at most \(maximum) bytes are read."
        case .notUnderstood(let status, let cause):
            "\(url) answered \(status), but not as this version of Plimsoll does: \(cause)"
        case .cancelled: "The request to \(url) was given up."
        }
    }
}

extension Problem {
    /// Whether the service writes nothing at all until an operator decides.
    package var isReadOnly: Bool { code == .logBehind || code == .logForked }
}
