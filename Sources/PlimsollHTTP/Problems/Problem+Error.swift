import Hummingbird
import NIOCore
import PlimsollAPI
import PlimsollDomain
import PlimsollStore
import PlimsollService

extension Problem {
    /// What somebody is told of an error; the one place where errors become problems.
    ///
    /// Of an error that nobody foresaw they are told nothing but the request's name, under which
    /// the log says the rest.
    init(_ error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let reached as LimitReached: self = reached.problem
        case let error as UseCaseError: self.init(error)
        case let error as HTTPError where error.status == .notFound: self = .noSuchResource
        case is NIOTooManyBytesError: self = .bodyTooLarge
        case let error as HTTPError where error.status == .contentTooLarge: self = .bodyTooLarge
        default: self = .internalError
        }
    }

    private init(_ error: UseCaseError) {
        switch error {
        case .refused(let refusal): self.init(refusal)
        case .tokenDead: self = .deadToken
        case .keyReused:
            self.init(
                .keyReused,
                detail: "This idempotency key was used before, for another request.",
                errors: [
                    Fault(
                        at: .header("Idempotency-Key"),
                        code: "keyReused",
                        detail: "The earlier request with this key said something else.",
                        remedy: "Send a new key with a new request."
                    )
                ]
            )
        case .storeAway:
            self.init(
                .unavailable,
                detail: "The database cannot be reached, or what became of the write is not"
                    + " known. The same request with the same Idempotency-Key is safe to send"
                    + " again."
            )
        case .readOnly(let prohibition):
            self.init(prohibition.cause.problem, detail: prohibition.sentence)
        case .webhookKeyUnusable:
            self.init(
                .keyUnusable,
                detail: "The key that the secrets of webhooks are made from cannot be used, so"
                    + " nothing was made. Tell the operator; plimsoll doctor --data says why."
            )
        case .unexpected: self = .internalError
        }
    }

    private init(_ refusal: Refusal) {
        let faults = refusal.objections.map { objection in
            Fault(
                at: objection.pointer.map(Place.body) ?? objection.header.map(Place.header),
                code: objection.code,
                detail: objection.detail,
                remedy: objection.remedy
            )
        }
        let kinds = refusal.objections.map(\.kind)
        let kind = ObjectionKind.weightiest(of: kinds)
        let detail =
            faults.count == 1
            ? faults[0].detail : "\(faults.count) things stand in the way; see the errors."
        self.init(kind.problem, detail: detail, errors: faults)
    }

    static let internalError = Problem(
        .internalError,
        detail: "An unexpected error. Tell the operator the request's id; the log has the rest."
    )

    static let noSuchResource = Problem(.notFound, detail: "There is nothing at this address.")
}

extension Prohibition.Cause {
    var problem: ProblemCode {
        switch self {
        case .logBehind: .logBehind
        case .logForked: .logForked
        }
    }
}

extension Objection {
    /// The header it objects to: what a decision binds to stands in none of its members.
    fileprivate var header: String? { kind == .stale || kind == .unseen ? "If-Match" : nil }
}

extension ObjectionKind {
    /// The kind that the whole answer takes its status from where several stand in the way.
    ///
    /// What somebody must not or cannot do comes first; then what they have to look at again
    /// before it makes sense to mend the rest.
    fileprivate static func weightiest(of kinds: [ObjectionKind]) -> ObjectionKind {
        let order: [ObjectionKind] = [
            .unknown, .forbidden, .unseen, .stale, .tooMuch, .conflict, .invalid, .noOperation,
        ]
        return order.first { kinds.contains($0) } ?? .invalid
    }

    fileprivate var problem: ProblemCode {
        switch self {
        case .unknown: .notFound
        case .forbidden: .forbidden
        case .tooMuch: .tooManyRequests
        case .conflict: .conflict
        case .stale: .stale
        case .unseen: .preconditionRequired
        case .noOperation: .nothingToDo
        case .invalid: .invalidRequest
        }
    }
}
