import PlimsollAPI

/// What came of sending something once.
package struct SendingOutcome: Equatable, Sendable {
    /// What was answered; `nil` where nothing was.
    package let status: Int?
    /// `nil` where it was delivered.
    package let failure: String?
    /// How long the receiver asks to be left alone.
    package let retryAfter: Duration?
    /// What the operator is told beyond the failure, which others read.
    package let innerCause: String?
    /// Whether the receiver says that there is nothing any more, and will not be.
    package var isGone: Bool { status == 410 }

    package init(
        status: Int?,
        failure: String?,
        retryAfter: Duration? = nil,
        innerCause: String? = nil
    ) {
        self.status = status
        self.failure = failure
        self.retryAfter = retryAfter
        self.innerCause = innerCause
    }

    static func failed(_ cause: String, because innerCause: String? = nil) -> SendingOutcome {
        SendingOutcome(status: nil, failure: cause, innerCause: innerCause)
    }

    init(_ answer: WebAnswer) {
        let failure: String? =
            switch answer.status {
            case 200...299: nil
            case 300...399: "it answered \(answer.status), and redirects are not followed"
            case 410: "it answered 410: there is nothing any more"
            default: "it answered \(answer.status)"
            }
        let seconds = answer.header("Retry-After").flatMap { Int64($0) }
        self.init(
            status: answer.status,
            failure: failure,
            retryAfter: seconds.flatMap { $0 > 0 ? .seconds($0) : nil }
        )
    }
}
