import PlimsollAPI

/// Why a store did not do what it was asked.
package enum StoreFailure: Error, Hashable, Sendable {
    /// There was no connection, so nothing was asked.
    case unreachable(String)
    /// No answer came, or half of one; what became of a write is not known.
    case noAnswer(String)
    /// The store said no; the code is its own word for it, empty where it said none.
    case refused(status: Int, code: String)
    case cancelled

    init(_ error: AdminError) {
        switch error.kind {
        case .unreachable(let cause): self = .unreachable(cause)
        case .interrupted(let cause): self = .noAnswer(cause)
        case .timedOut(let limit): self = .noAnswer("nothing came within \(limit)")
        case .answerTooLarge(let maximum): self = .noAnswer("it was longer than \(maximum) bytes")
        case .cancelled: self = .cancelled
        case .refused, .notUnderstood: self = .refused(status: error.status ?? 0, code: "")
        }
    }

    init(_ answer: WebAnswer) {
        self = .refused(status: answer.status, code: Self.code(in: answer.body))
    }

    /// Whether a write may have happened although nobody said so.
    package var leavesOutcomeOpen: Bool {
        switch self {
        case .noAnswer: true
        case .refused(let status, _): status >= 500
        case .unreachable, .cancelled: false
        }
    }

    /// `<Code>…</Code>` in what a store says of an error.
    private static func code(in body: [UInt8]) -> String {
        let text = String(decoding: body.prefix(4096), as: UTF8.self)
        guard
            let start = text.firstRange(of: "<Code>")?.upperBound,
            let end = text[start...].firstRange(of: "</Code>")?.lowerBound
        else { return "" }
        let code = text[start..<end]
        let isWord = code.utf8.allSatisfy { byte in
            (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || (0x30...0x39).contains(byte)
        }
        return isWord && code.utf8.count <= 64 ? String(code) : ""
    }
}

extension StoreFailure: CustomStringConvertible {
    /// The same for the same failure: it stands in the record.
    package var description: String {
        switch self {
        case .unreachable(let cause): "it cannot be reached: \(cause)"
        case .noAnswer(let cause): "it did not answer: \(cause)"
        case .refused(let status, ""): "it answered \(status)"
        case .refused(let status, let code): "it answered \(status) (\(code))"
        case .cancelled: "it was given up"
        }
    }
}
