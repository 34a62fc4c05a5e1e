/// What happens to principals and their tokens, on the stream `access`.
package enum AccessEvent: Equatable, Sendable {
    /// With what the name was that they got, by which nobody learns it; `nil` in logs of before.
    case principalAdded(PrincipalID, NameCommitment? = nil)
    case roleGranted(PrincipalID, RoleGrant)
    case roleRevoked(PrincipalID, RoleGrant)
    /// It may do nothing, and its tokens are refused, until it is resumed.
    case principalSuspended(PrincipalID)
    case principalResumed(PrincipalID)
    case tokenIssued(TokenRecord)
    /// Its owner made it of another one of theirs, which ends by itself at the given time.
    case tokenRenewed(TokenRecord, of: TokenID, until: Instant)
    case tokenRevoked(TokenID)
    /// The name, which stands outside the log, is gone; the id and all that it did stay.
    case nameErased(PrincipalID)
    /// What it signs with the key counts as signed by the principal.
    case personKeyAdded(PrincipalID, PersonKey)
    /// What it signed for changes that are not decided yet counts no more.
    case personKeyRevoked(PrincipalID, PersonKey)
}

/// What happens to signing keys, on the stream `keys`.
package enum KeyEvent: Equatable, Sendable {
    case keyAdded(KeyRecord)
    case keyActivated(KeyID, app: AppSlug)
    /// It signs nothing more.
    case keyRetired(KeyID, app: AppSlug)
    /// Somebody else may have its private half.
    case keyCompromised(KeyID, app: AppSlug)
}

extension AccessEvent: EventOfStream {
    var event: Event { .access(self) }

    var told: any ToldEvent {
        switch self {
        case .principalAdded(let id, let name): AccessEvents.principalAdded(id, name)
        case .roleGranted(let id, let grant): AccessEvents.roleGranted(id, grant)
        case .roleRevoked(let id, let grant): AccessEvents.roleRevoked(id, grant)
        case .principalSuspended(let id): AccessEvents.principalSuspended(id)
        case .principalResumed(let id): AccessEvents.principalResumed(id)
        case .tokenIssued(let token): AccessEvents.tokenIssued(token)
        case .tokenRenewed(let token, let old, let until):
            AccessEvents.tokenRenewed(token, old, until)
        case .tokenRevoked(let id): AccessEvents.tokenRevoked(id)
        case .nameErased(let id): AccessEvents.nameErased(id)
        case .personKeyAdded(let id, let key): AccessEvents.personKeyAdded(id, key)
        case .personKeyRevoked(let id, let key): AccessEvents.personKeyRevoked(id, key)
        }
    }
}

/// The events of principals and their tokens, each declared once.
enum AccessEvents {
    // 2: `nameCommitment`.
    static let principalAdded = Declared(
        .principalAdded,
        shape: 2,
        AccessEvent.principalAdded,
        .principal,
        .optional("nameCommitment", .nameCommitment)
    ) { _, principal, _ in "Principal \(principal) added" }

    static let roleGranted = Declared(.roleGranted, AccessEvent.roleGranted, .principal, .grant) {
        "Principal \($1) is \($2.words)"
    }

    static let roleRevoked = Declared(.roleRevoked, AccessEvent.roleRevoked, .principal, .grant) {
        "Principal \($1) is no longer \($2.words)"
    }

    static let principalSuspended = Declared(
        .principalSuspended,
        AccessEvent.principalSuspended,
        .principal
    ) { "Principal \($1) suspended" }

    static let principalResumed = Declared(
        .principalResumed,
        AccessEvent.principalResumed,
        .principal
    ) { "Principal \($1) resumed" }

    static let tokenIssued = Declared(.tokenIssued, AccessEvent.tokenIssued, .tokenRecord) {
        "Token \($1.id) issued to principal \($1.principal)"
    }

    static let tokenRenewed = Declared(
        .tokenRenewed,
        AccessEvent.tokenRenewed,
        .tokenRecord,
        Members("renews", .token),
        Members("until", .instant)
    ) { _, token, old, until in
        "Token \(old) renewed as \(token.id) by principal \(token.principal); the old one ends on"
            + " \(until)"
    }

    static let tokenRevoked = Declared(.tokenRevoked, AccessEvent.tokenRevoked, .token) {
        "Token \($1) revoked"
    }

    static let nameErased = Declared(.nameErased, AccessEvent.nameErased, .principal) {
        "The name of principal \($1) erased"
    }

    static let personKeyAdded = Declared(
        .personKeyAdded,
        AccessEvent.personKeyAdded,
        .principal,
        .personKey
    ) { "Principal \($1) signs with \($2)" }

    static let personKeyRevoked = Declared(
        .personKeyRevoked,
        AccessEvent.personKeyRevoked,
        .principal,
        .personKey
    ) { "Principal \($1) signs no more with \($2)" }
}

extension RoleGrant {
    /// `proposer of harbour`, or `proposer of all apps`.
    fileprivate var words: String { "\(role.rawValue) of \(scope.app?.text ?? "all apps")" }
}

extension KeyEvent: EventOfStream {
    var event: Event { .key(self) }

    var told: any ToldEvent {
        switch self {
        case .keyAdded(let record): KeyEvents.keyAdded(record)
        case .keyActivated(let id, let app): KeyEvents.keyActivated(id, app)
        case .keyRetired(let id, let app): KeyEvents.keyRetired(id, app)
        case .keyCompromised(let id, let app): KeyEvents.keyCompromised(id, app)
        }
    }
}

/// The events of signing keys, each declared once.
enum KeyEvents {
    static let keyAdded = Declared(.keyAdded, KeyEvent.keyAdded, .keyRecord) {
        "Key \($1.id) made for \($1.app)"
    }

    static let keyActivated = Declared(.keyActivated, KeyEvent.keyActivated, .key, .app) {
        "Key \($1) signs for \($2)"
    }
    .publishing { _, said in said.1 }

    static let keyRetired = Declared(.keyRetired, KeyEvent.keyRetired, .key, .app) {
        "Key \($1) retired from signing for \($2)"
    }
    .publishing { _, said in said.1 }

    static let keyCompromised = Declared(.keyCompromised, KeyEvent.keyCompromised, .key, .app) {
        "Key \($1) of \($2) compromised; nothing that it signs is to be believed"
    }
    .publishing { _, said in said.1 }
}
