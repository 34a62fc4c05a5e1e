import PlimsollDomain
import PlimsollPostgres
import PlimsollStore

extension UseCaseError {
    init(_ error: WriteError) {
        self =
            switch error {
            case .refused(let refusal): .refused(refusal)
            case .tokenDead: .tokenDead
            case .mismatch: .keyReused
            case .unwritable(let error): .unexpected("\(error)")
            case .readOnly(let reason): .readOnly(reason)
            case .contended, .overloaded, .storeAway, .stopped: .storeAway
            }
    }

    /// Every way in which the database or the read models are away is one and the same to a
    /// person: later it will go.
    init(reading error: any Error) {
        switch error {
        case is PostgresError, is ReadModelsBehind, is CancellationError: self = .storeAway
        case LogError.database: self = .storeAway
        case is WebhookKeyUnusable: self = .webhookKeyUnusable
        default: self = .unexpected("\(error)")
        }
    }
}
