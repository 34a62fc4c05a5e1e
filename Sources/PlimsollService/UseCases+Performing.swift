import Logging
import PlimsollAPI
package import PlimsollDomain
import PlimsollPostgres
package import PlimsollStore

extension UseCases {
    /// Decides a command of the caller's and appends its events, or only decides it.
    @discardableResult
    package func perform(
        _ command: any Command,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> Receipt {
        let commandRequest = CommandRequest(
            command,
            identity: request.identity,
            authentication: request.caller.authentication,
            requestID: request.id,
            correlation: request.correlation
        )
        let receipt: Receipt
        do throws(WriteError) {
            receipt =
                switch request.mode {
                case .commit: try await writer.perform(commandRequest)
                case .dryRun: try writer.dryRun(commandRequest)
                }
        } catch {
            throw UseCaseError(error)
        }
        guard request.mode == .commit, receipt.isOvertaken else { return receipt }
        return receipt.leaving(try await past(receipt.position))
    }

    /// The same for what is seen by its first event afterwards, whose position only a real one has;
    /// with the state that it left.
    package func perform<View>(
        _ command: any Command,
        _ request: WriteRequest,
        seenBy view: (RecordedEvent, _ isCommitted: Bool) -> View?
    ) async throws(UseCaseError) -> (view: View, logState: LogState) {
        let receipt = try await perform(command, request)
        let isCommitted = receipt.freshness != .dryRun
        guard let seen = receipt.events.first.flatMap({ view($0, isCommitted) }) else {
            throw .unexpected("what was decided does not begin with its own event")
        }
        return (seen, receipt.logState)
    }

    /// The same for what may be said twice; `nil` where everything is so already.
    @discardableResult
    package func performIfNews(
        _ command: any Command,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> Receipt? {
        do throws(UseCaseError) {
            return try await perform(command, request)
        } catch {
            guard error == UseCaseError(.nothingChanges) else { throw error }
            return nil
        }
    }

    /// The state as an append left it; an answer that is given again tells of that, not of now.
    func past(_ position: Position) async throws(UseCaseError) -> LogState {
        try await read { try await writer.logState(at: position) }
    }

    /// The fold of everything that is durable, as this instance knows it.
    func logState() throws(UseCaseError) -> LogState {
        guard writer.isOpen else { throw .storeAway }
        return writer.logState
    }

    /// Refuses unless the caller has the role there.
    func require(
        _ role: Role,
        of caller: Caller,
        in scope: Scope,
        _ logState: LogState
    ) throws(UseCaseError) {
        guard logState.access.permits(caller.principal, role, in: scope) else {
            throw UseCaseError(.roleMissing(role, scope))
        }
    }

    /// The app, if there is one and the caller may see it.
    func visibleApp(
        _ slug: AppSlug,
        _ caller: Caller,
        _ logState: LogState
    ) throws(UseCaseError) -> App {
        try require(.viewer, of: caller, in: .app(slug), logState)
        return try existingApp(slug, logState)
    }

    /// The app, if the caller may see it and it has the platform.
    func visibleApp(
        _ slug: AppSlug,
        with platform: Platform,
        _ caller: Caller,
        _ logState: LogState
    ) throws(UseCaseError) -> App {
        let app = try visibleApp(slug, caller, logState)
        guard app.has(platform) else {
            throw UseCaseError(.platformUnknown(slug, platform, at: "/platform"))
        }
        return app
    }

    func existingApp(_ slug: AppSlug, _ logState: LogState) throws(UseCaseError) -> App {
        guard let app = logState.app(slug) else { throw UseCaseError(.appUnknown(slug)) }
        return app
    }

    /// Asks the store something, and tells an outage from everything else.
    func read<Answer>(
        _ question: () async throws -> Answer
    ) async throws(UseCaseError) -> Answer {
        do {
            return try await question()
        } catch {
            if let failure = PostgresError(reading: error), failure.isUnanswered {
                Logger.current.warning(
                    "a question to the database was not answered",
                    metadata: ["error": "\(failure.descriptionWithStatement)"]
                )
            }
            throw UseCaseError(reading: error)
        }
    }
}
