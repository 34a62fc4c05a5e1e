package import PlimsollAPI
package import PlimsollDomain
package import PlimsollStore

extension UseCases {
    /// The signing keys of the apps that the caller may see.
    package func keys(for caller: Caller) throws(UseCaseError) -> [KeyView] {
        let logState = try logState()
        return logState.keyring.keys.values.filter {
            logState.access.permits(caller.principal, .viewer, in: .app($0.record.app))
        }.sorted { $0.record.id < $1.record.id }.map { KeyView($0) }
    }

    /// One of them.
    package func key(_ id: KeyID, for caller: Caller) throws(UseCaseError) -> KeyView {
        let logState = try logState()
        guard let key = logState.keyring.keys[id],
            logState.access.permits(caller.principal, .viewer, in: .app(key.record.app))
        else { throw UseCaseError(.keyUnknown(id)) }
        return KeyView(key)
    }

    /// Adds a key that signs nothing yet; asks for an administrator.
    ///
    /// Its private half is kept before the event that names it is appended.
    package func addKey(
        _ form: KeyForm,
        to app: AppSlug,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> KeyView {
        let kept = try await keep(form.place, for: app, request)
        let command = AddKey(kept.record, reason: form.reason, by: request.caller.principal)
        do {
            let receipt = try await perform(command, request)
            // The same request again made another key, which nobody needs.
            if receipt.logState.keyring.keys[kept.record.id] == nil { await discard(kept, request) }
            return try view(of: receipt)
        } catch {
            // Else the log may name the key by now, so it is kept.
            if error.excludesAppend { await discard(kept, request) }
            throw error
        }
    }

    /// Brings a key on in its life; asks for an administrator, and for a responder at least where
    /// the key is compromised.
    package func turnKey(
        _ id: KeyID,
        _ turn: TurnKey.Turn,
        seen: Position?,
        reason: Reason?,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> KeyView {
        if turn == .activate { try await prove(id, request) }
        let command = TurnKey(
            id,
            turn,
            seen: seen,
            reason: reason,
            by: request.caller.principal
        )
        return try view(of: try await perform(command, request))
    }

    /// The key that an event is about, as it stands by now.
    private func view(of receipt: Receipt) throws(UseCaseError) -> KeyView {
        guard case .key(let event)? = receipt.events.first?.event,
            let key = receipt.logState.keyring.keys[event.key]
        else { throw .unexpected("a key is not brought on by an event of its own") }
        return KeyView(key, isCommitted: receipt.freshness != .dryRun)
    }

    private func keep(
        _ place: KeyPlace,
        for app: AppSlug,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> KeptKey {
        let logState = try logState()
        try require(.admin, of: request.caller, in: .app(app), logState)
        _ = try existingApp(app, logState)
        // A key that was made would stay.
        if request.mode == .commit, let prohibition = writer.prohibition {
            throw .readOnly(prohibition)
        }
        do {
            return try await keys.keep(place, app, request.mode)
        } catch let error as KeyUnusable {
            guard let pointer = place.pointer else { throw .unexpected(error.reason) }
            throw UseCaseError(.keyPlaceUnusable(reason: error.reason, at: pointer))
        } catch {
            throw .unexpected("a signing key of \(app) could not be kept: \(error)")
        }
    }

    private func discard(_ kept: KeptKey, _ request: WriteRequest) async {
        if kept.isNew, request.mode == .commit { await keys.discard(kept.record) }
    }

    /// A key that cannot sign would keep everything from being published, so it is tried before.
    ///
    /// Who may not activate it, or has nothing to activate, is told so by the decision.
    private func prove(_ id: KeyID, _ request: WriteRequest) async throws(UseCaseError) {
        let logState = try logState()
        guard let key = logState.keyring.keys[id], [.added, .retired].contains(key.state),
            logState.access.permits(request.caller.principal, .admin, in: .app(key.record.app))
        else { return }
        do {
            try await keys.prove(key.record)
        } catch let error as KeyUnusable {
            throw UseCaseError(.signerUnusable(id, reason: error.reason))
        } catch {
            throw .unexpected("the key \(id) could not be tried: \(error)")
        }
    }
}

extension KeyEvent {
    fileprivate var key: KeyID {
        switch self {
        case .keyAdded(let record): record.id
        case .keyActivated(let id, _), .keyRetired(let id, _), .keyCompromised(let id, _): id
        }
    }
}

extension KeyPlace {
    /// Where in a request it is named; what the service makes itself is named nowhere.
    fileprivate var pointer: Pointer? {
        switch self {
        case .made: nil
        case .file: "/id"
        case .environment: "/environment"
        case .service: "/keyService"
        }
    }
}

extension UseCases {
    /// Events of the record; an auditor of some apps sees those of these apps.
    package func events(
        _ query: EventQuery,
        for caller: Caller
    ) async throws(UseCaseError) -> Page<AuditedEvent, Position> {
        let logState = try logState()
        try requireAuditor(of: query.apps, caller, logState)
        var query = query
        query.limit = min(max(query.limit, 1), EventQuery.limitMaximum) + 1
        let found = try await read { try await readModels.events(query, upTo: logState.position) }
        let shown = Array(found.prefix(query.limit - 1))
        return Page(
            elements: shown,
            next: found.count > shown.count ? shown.last?.position : nil
        )
    }

    /// All events that a question finds, to be read part by part.
    package func record(
        _ query: EventQuery,
        atMost countMaximum: Int?,
        for caller: Caller
    ) throws(UseCaseError) -> RecordReading {
        let logState = try logState()
        try requireAuditor(of: query.apps, caller, logState)
        return readModels.record(
            query,
            upTo: logState.position,
            atMost: countMaximum,
            signedBy: logFiles.key
        )
    }

    /// The event at a position, with what it changed; asks for an auditor of all apps.
    package func event(
        _ position: Position,
        for caller: Caller
    ) async throws(UseCaseError) -> AuditedEvent {
        let logState = try logState()
        try requireAuditor(of: [], caller, logState)
        guard position > .start, position <= logState.position else {
            throw UseCaseError(.eventUnknown(position, head: logState.position))
        }
        var query = EventQuery()
        (query.since, query.until) = (.position(position), .position(position))
        let found = try await read { try await readModels.events(query, upTo: position) }
        guard let event = found.first else {
            throw .unexpected("the log has no event at \(position)")
        }
        return event
    }

    /// What was published, newest first.
    package func snapshots(
        of app: AppSlug,
        after: SnapshotSequence?,
        limit: Int,
        for caller: Caller
    ) async throws(UseCaseError) -> Page<PublishedSnapshot, SnapshotSequence> {
        let logState = try logState()
        _ = try visibleApp(app, caller, logState)
        let limit = min(max(limit, 1), EventQuery.limitMaximum)
        let found = try await read {
            try await readModels.snapshots(
                of: app,
                after: after,
                limit: limit + 1,
                upTo: logState.position
            )
        }
        let shown = Array(found.prefix(limit))
        return Page(
            elements: shown,
            next: found.count > limit ? shown.last?.record.sequence : nil
        )
    }

    func requireAuditor(
        of apps: [AppSlug],
        _ caller: Caller,
        _ logState: LogState
    ) throws(UseCaseError) {
        guard !apps.isEmpty else { return try requireAuditorOfAll(caller, logState) }
        for app in apps { try require(.auditor, of: caller, in: .app(app), logState) }
    }

    /// Whoever audits some apps is told which.
    private func requireAuditorOfAll(_ caller: Caller, _ logState: LogState) throws(UseCaseError) {
        guard !logState.access.permits(caller.principal, .auditor, in: .all) else { return }
        let apps = logState.apps.map(\.slug).filter {
            logState.access.permits(caller.principal, .auditor, in: .app($0))
        }
        throw UseCaseError(apps.isEmpty ? .roleMissing(.auditor, .all) : .recordOfApps(apps))
    }
}

extension UseCases {
    /// The newest checkpoint over the record; `nil` before the first.
    package func logCheckpoint(for caller: Caller) async throws(UseCaseError) -> [UInt8]? {
        try requireAuditor(caller)
        return try await read { try await logFiles.checkpoint() }
    }

    /// A tile of the transparency log, of hashes or of entries, by its path under the prefix, such
    /// as `tile/0/x001/234`; `nil` if the newest checkpoint does not cover all of it.
    package func logTile(
        _ path: String,
        for caller: Caller
    ) async throws(UseCaseError) -> [UInt8]? {
        try requireAuditor(caller)
        return try await read { try await logFiles.tile(path) }
    }

    /// Keeps what witnesses say of a checkpoint; answers it with all the lines that it has now.
    package func keep(
        cosigned note: [UInt8],
        for caller: Caller
    ) async throws(UseCaseError) -> Result<[UInt8], Cosignatures.Refusal> {
        try requireAuditor(caller)
        if let prohibition = writer.prohibition { throw .readOnly(prohibition) }
        return try await read { try await logFiles.keep(cosigned: note) }
    }

    /// The proof that an event is in the newest checkpoint; `nil` if that does not cover it yet.
    package func proof(
        of position: Position,
        for caller: Caller
    ) async throws(UseCaseError) -> [UInt8]? {
        let logState = try logState()
        try require(.auditor, of: caller, in: .all, logState)
        guard position > .start, position <= logState.position else {
            throw UseCaseError(.eventUnknown(position, head: logState.position))
        }
        return try await read { try await logFiles.proof(of: position) }
    }

    /// Refuses unless the caller may see the transparency log with its entries.
    package func requireAuditor(_ caller: Caller) throws(UseCaseError) {
        try require(.auditor, of: caller, in: .all, logState())
    }
}
