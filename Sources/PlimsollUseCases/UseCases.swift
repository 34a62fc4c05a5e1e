package import PlimsollDomain
package import PlimsollProjection

/// What a person can do with Plimsoll.
///
/// HTTP, the console, the scheduler and webhooks call only this, so that no road goes round the
/// rules. Every write is decided where it is appended.
package struct UseCases: Sendable {
    /// How long a token lives that was asked for without a word on it.
    package static let tokenLifetime = Duration.seconds(90 * 86_400)

    package init() {}
}

// MARK: - Writing

extension UseCases {
    package func registerApp(
        _ registration: AppRegistration,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> AppView { throw .storeAway }

    package func propose(
        _ proposal: ChangeProposal,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> ChangeView { throw .storeAway }

    package func approve(
        _ change: ChangeID,
        seen: ChangeDigest,
        comment: Reason?,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> ChangeView { throw .storeAway }

    package func reject(
        _ change: ChangeID,
        seen: ChangeDigest,
        reason: Reason,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> ChangeView { throw .storeAway }

    package func withdraw(
        _ change: ChangeID,
        seen: ChangeDigest,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> ChangeView { throw .storeAway }

    package func rollBack(
        _ rollback: RollbackRequest,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> RollbackView { throw .storeAway }

    package func issueToken(
        _ token: TokenRequest,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> IssuedToken { throw .storeAway }

    package func revokeToken(
        _ token: TokenID,
        _ request: WriteRequest
    ) async throws(UseCaseError) { throw .storeAway }
}

// MARK: - Reading

extension UseCases {
    /// The caller that a secret belongs to; `nil` for one that is unknown, revoked or expired.
    package func authenticate(secret: String) -> Caller? { nil }

    /// Every app that the caller may see.
    package func apps(for caller: Caller) throws(UseCaseError) -> [AppView] { throw .storeAway }

    package func app(_ slug: AppSlug, for caller: Caller) throws(UseCaseError) -> AppView {
        throw .storeAway
    }

    package func document(
        of app: AppSlug,
        on platform: Platform,
        at moment: Moment,
        for caller: Caller
    ) async throws(UseCaseError) -> DocumentView { throw .storeAway }

    package func changes(
        _ query: ChangeQuery,
        for caller: Caller
    ) async throws(UseCaseError) -> Page<ChangeSummary, ChangeID> { throw .storeAway }

    package func change(
        _ id: ChangeID,
        for caller: Caller
    ) async throws(UseCaseError) -> ChangeView { throw .storeAway }

    package func events(
        _ query: EventQuery,
        for caller: Caller
    ) async throws(UseCaseError) -> Page<RecordedEvent, Position> { throw .storeAway }

    package func event(
        _ position: Position,
        for caller: Caller
    ) async throws(UseCaseError) -> RecordedEvent { throw .storeAway }

    /// What was published, newest first.
    package func snapshots(
        of app: AppSlug,
        after: SnapshotSequence?,
        limit: Int,
        for caller: Caller
    ) async throws(UseCaseError) -> Page<PublishedSnapshot, SnapshotSequence> { throw .storeAway }

    /// The signing keys of the apps that the caller may see.
    package func keys(for caller: Caller) throws(UseCaseError) -> [Key] { throw .storeAway }

    /// The tokens that the caller may administer, and own ones.
    package func tokens(for caller: Caller) async throws(UseCaseError) -> [TokenView] {
        throw .storeAway
    }

    package func identity(of caller: Caller) async throws(UseCaseError) -> IdentityView {
        throw .storeAway
    }

    /// Whether writes can be made and read models are up to date; says what is missing.
    package func readiness() async -> Readiness { .notReady([]) }
}

/// Whether the service does its work.
package enum Readiness: Equatable, Sendable {
    case ready
    /// What is missing, as sentences.
    case notReady([String])
}
