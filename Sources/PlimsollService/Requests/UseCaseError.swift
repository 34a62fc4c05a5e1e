package import PlimsollDomain
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
    /// The key that the secrets of webhooks are made from is there, and cannot be used.
    case webhookKeyUnusable
    /// Something that should never happen; the sentence is for the operator's log.
    case unexpected(String)

    package init(_ objection: Objection) {
        self = .refused(Refusal(objection))
    }
}
