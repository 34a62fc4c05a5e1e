package import PlimsollDomain

/// Decides who may ask a marketplace.
package protocol DeviceAuthorizer: Sendable {
    /// Takes what stands behind `Bearer` in the request's field, where it has one.
    ///
    /// It MUST answer at once, or say that it answers later; an answer that is later MUST come to an
    /// end by itself, in a time that a device can wait.
    func decide(
        bearer: String?,
        asking marketplace: Marketplace,
        at now: Instant
    ) -> DeviceAuthorization
}

/// What is decided of somebody who asks.
package enum DeviceAuthorization: Sendable {
    /// Whom the token names, where there is one that names somebody.
    case granted(account: String?)
    /// There is no token, and one is needed: 401, with `WWW-Authenticate: Bearer`.
    case missing
    /// The token is of no use, or has expired: 403.
    case refused
    /// Who knows of tokens cannot be asked: 503, and nothing is handed out.
    case unavailable
    /// Somebody else has to be asked.
    case later(@Sendable () async -> DeviceAuthorization)
}
