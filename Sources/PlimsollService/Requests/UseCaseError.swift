package import PlimsollAPI
package import PlimsollDomain
import PlimsollPostgres
package import PlimsollStore

/// Why a person did not get what they asked for.
package enum UseCaseError: Error, Equatable, Sendable {
    /// The rules say no; it says why, all at once.
    case refused(Refusal)
    /// The caller's token was revoked, or expired, while the request was on its way.
    case tokenDead
    /// The idempotency key was used before for something else.
    case keyReused
    /// The database cannot be reached, or what became of the write is not known.
    case storeAway
    /// The service reads only, until an operator decides.
    case readOnly(Prohibition)
    /// What stands in the way is said where it came up.
    case problem(Problem)
    /// Something that should never happen; the sentence is for the operator's log.
    case unexpected(String)

    package init(_ objection: Objection) {
        self = .refused(Refusal(objection))
    }

    /// Whether nothing was appended, and nothing will be; after anything else the log may have it.
    var excludesAppend: Bool {
        switch self {
        case .refused, .tokenDead, .keyReused: true
        case .storeAway, .readOnly, .problem, .unexpected: false
        }
    }
}

extension UseCaseError {
    init(_ error: WriteError) {
        self =
            switch error {
            case .refused(let refusal): .refused(refusal)
            case .tokenDead: .tokenDead
            case .mismatch: .keyReused
            case .unwritable(let error): .unexpected("\(error)")
            case .storeRefuses(let cause): .unexpected(cause)
            case .readOnly(let reason): .readOnly(reason)
            case .contended, .overloaded, .storeAway, .superseded, .stopped: .storeAway
            }
    }

    /// Tells an outage, after which it will go, from what an operator has to mend.
    ///
    /// Every way in which the database or the read models are away is one and the same to a person.
    init(reading error: any Error) {
        switch error {
        case let error as PostgresError: self.init(error)
        case LogError.database(let error): self.init(error)
        case is ReadModelsBehind, is CancellationError, LogError.shortened: self = .storeAway
        case let problem as Problem: self = .problem(problem)
        default: self = .unexpected("\(error)")
        }
    }

    private init(_ error: PostgresError) {
        self = error.isTransient ? .storeAway : .unexpected(error.descriptionWithStatement)
    }
}

extension PostgresError {
    /// What the database has to do with an error on a read.
    init?(reading error: any Error) {
        switch error {
        case let error as PostgresError: self = error
        case LogError.database(let error): self = error
        default: return nil
        }
    }

    /// Whether a database that is there gave no answer for now, or was not asked since others were
    /// before, which nothing else would log.
    var isUnanswered: Bool {
        switch kind {
        case .timedOut(.statement), .timedOut(.turn): true
        case .server: isTransient
        case _: false
        }
    }
}
