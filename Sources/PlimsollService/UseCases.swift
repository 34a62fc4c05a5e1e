package import PlimsollAPI
package import PlimsollDomain
package import PlimsollStore

/// What a person can do with Plimsoll.
///
/// HTTP, the console, the scheduler and webhooks call only this, so that no road goes round the
/// rules. Every write is decided where it is appended.
package struct UseCases: Sendable {
    /// How long a token lives that was asked for without a word on it.
    package static let tokenLifetime = Duration.seconds(90 * 86_400)

    let writer: Writer
    let readModels: ReadModels
    let directory: Directory
    let keys: KeyMaker
    /// What time it is, for all that is decided here.
    package let clock: @Sendable () -> Instant
    /// Whether something may be done because of the time alone.
    let trustsClock: @Sendable () -> Bool
    let logFiles: LogFiles
    let reach: Reach
    /// `nil` where nothing is ever sent.
    let webhooks: WebhookOperations?
    let accounts: AccountMemory
    let verifier: VerifierProgress
    let sessions: SessionStore?
    /// For what takes a processor for long.
    package let expensiveReads = ExpensiveReads()

    package init(
        writer: Writer,
        readModels: ReadModels,
        directory: Directory,
        keys: KeyMaker,
        logFiles: LogFiles,
        reach: Reach = .usual,
        webhooks: WebhookOperations? = nil,
        accounts: AccountMemory = .closed,
        verifier: VerifierProgress = VerifierProgress(),
        sessions: SessionStore? = nil,
        trustsClock: @escaping @Sendable () -> Bool = { true },
        clock: @escaping @Sendable () -> Instant
    ) {
        self.writer = writer
        self.readModels = readModels
        self.directory = directory
        self.keys = keys
        self.clock = clock
        self.trustsClock = trustsClock
        self.logFiles = logFiles
        self.reach = reach
        self.webhooks = webhooks
        self.accounts = accounts
        self.verifier = verifier
        self.sessions = sessions
    }
}

extension UseCases {
    /// What every release that is known shows in a state of a document, and in another; asks for a
    /// viewer.
    package func matrix(
        of slug: AppSlug,
        on platform: Platform,
        from: StateName,
        to: StateName?,
        for caller: Caller
    ) async throws(UseCaseError) -> MatrixAnswer {
        let logState = try logState()
        let app = try visibleApp(slug, with: platform, caller, logState)
        let before = try await document(in: from, of: app, on: platform, logState)
        var after = before
        if let to { after = try await document(in: to, of: app, on: platform, logState) }
        let (now, sides) = (clock(), (before: before, after: after))
        let matrix = await expensiveReads.answer {
            DeviceMatrix(
                from: sides.before.document,
                to: sides.after.document,
                releases: app.releases.releases(on: platform),
                told: (sides.before.releases, sides.after.releases),
                at: now,
                app.settings
            )
        }
        return MatrixAnswer(
            app: slug,
            from: before.side,
            to: to.map { _ in after.side },
            matrix: matrix
        )
    }

    /// What one device shows in a state of a document, and in another; asks for a viewer.
    ///
    /// Without a generation of clients it is what the newest show that are to read the document, and what
    /// the store offers follows from the releases that are known where the device does not say it.
    package func simulation(
        of device: Device,
        by generation: ClientGeneration? = nil,
        in slug: AppSlug,
        from: StateName,
        to: StateName?,
        for caller: Caller
    ) async throws(UseCaseError) -> SimulationAnswer {
        let logState = try logState()
        let app = try visibleApp(slug, with: device.platform, caller, logState)
        let before = try await document(in: from, of: app, on: device.platform, logState)
        var after = before
        if let to { after = try await document(in: to, of: app, on: device.platform, logState) }
        let generation = generation ?? after.newestReader
        return SimulationAnswer(
            app: slug,
            platform: device.platform,
            from: before.side,
            to: to.map { _ in after.side },
            before: try await reading(of: before, on: device, by: generation, app),
            outcome: try await reading(of: after, on: device, by: generation, app),
            refusedBy: after.unread.map { SimulationAnswer.Refuser($0) },
            store: after.offering(device).store,
            client: generation?.name
        )
    }

    /// What a device would show if edits were made on what is live.
    ///
    /// Edits of another platform's document are none of its business, but they have to be such as
    /// may be proposed.
    package func simulation(
        of device: Device,
        by generation: ClientGeneration? = nil,
        in slug: AppSlug,
        applying operations: [Operation],
        for caller: Caller
    ) async throws(UseCaseError) -> SimulationAnswer {
        let logState = try logState()
        let app = try visibleApp(slug, with: device.platform, caller, logState)
        let objections = operations.isEmpty ? [] : app.objections(toTrying: operations)
        guard objections.isEmpty else { throw UseCaseError.refused(Refusal(objections)) }
        let live = try await document(in: .live, of: app, on: device.platform, logState)
        var after = live
        for operation in operations where operation.platform == device.platform {
            after.document.apply(operation)
        }
        let generation = generation ?? after.newestReader
        return SimulationAnswer(
            app: slug,
            platform: device.platform,
            from: live.side,
            to: nil,
            before: try await reading(of: live, on: device, by: generation, app),
            outcome: try await reading(of: after, on: device, by: generation, app),
            refusedBy: after.unread.map { SimulationAnswer.Refuser($0) },
            store: after.offering(device).store,
            client: generation?.name
        )
    }

    /// What a device makes of a state; where it cannot read the document, of the last that it could.
    private func reading(
        of state: DocumentSide,
        on device: Device,
        by generation: ClientGeneration?,
        _ app: App
    ) async throws(UseCaseError) -> DeviceReading {
        let device = state.offering(device)
        let usual = state.document.reading(on: device, releases: state.releases, state.settings)
        guard let generation else { return usual }
        var last: Document?
        if state.unread(by: [generation]).first != nil {
            last = try await lastDocument(
                of: app.slug,
                readBy: generation,
                upTo: state.side.position
            )
        }
        let shown = state.document.outcome(
            on: device,
            by: generation,
            state.settings,
            keeping: last
        )
        return DeviceReading(shown: shown, offered: usual.offered)
    }

    /// The newest document that apps of a generation could read, after an append up to a position.
    private func lastDocument(
        of slug: AppSlug,
        readBy generation: ClientGeneration,
        upTo position: Position
    ) async throws(UseCaseError) -> Document? {
        var query = EventQuery()
        query.apps = [slug]
        query.types = [
            .appRegistered, .appSettingsChanged, .thresholdSet, .valueCleared, .thresholdCleared,
            .textSet, .textRemoved,
        ]
        return try await events(query, upTo: position, into: LastReadable(by: generation)) {
            $0.take($1)
        }.ended
    }

    /// A document in a state.
    private func document(
        in name: StateName,
        of app: App,
        on platform: Platform,
        _ logState: LogState
    ) async throws(UseCaseError) -> DocumentSide {
        let state = try await state(name, of: app, logState)
        let releases = try await releasesTold(in: name, of: app, at: state.position, logState)
        let instant = try await instant(of: name, state.position, logState)
        return DocumentSide(
            side: DiffAnswer.Side(name: name, position: state.position),
            document: state.document(platform),
            releases: releases.told(on: platform, at: instant),
            known: releases.known,
            instant: instant,
            settings: try await settings(in: name, of: app, at: state.position, logState)
        )
    }

    /// When it was asked what stores have.
    func instant(
        of name: StateName,
        _ position: Position,
        _ logState: LogState
    ) async throws(UseCaseError) -> Instant {
        switch name {
        case .live, .rollback: return clock()
        case .change where position == logState.position: return clock()
        case .time(let instant): return instant
        case .event, .change, .snapshot:
            let last = try await read { try await readModels.log.events(at: [position]) }
            guard let last = last.first else { throw .unexpected("an append has no last event") }
            return last.recordedAt
        }
    }

    /// The settings in a state.
    func settings(
        in name: StateName,
        of app: App,
        at position: Position,
        _ logState: LogState
    ) async throws(UseCaseError) -> AppSettings {
        guard !name.isOfNow, position < logState.position else { return app.settings }
        return try await settings(of: app, at: position)
    }

    /// The releases that phones were told of in a state.
    func releasesTold(
        in name: StateName,
        of app: App,
        at position: Position,
        _ logState: LogState
    ) async throws(UseCaseError) -> ReleasesTold {
        guard !name.isOfNow, position < logState.position else { return app.releasesTold }
        return try await releasesTold(of: app.slug, at: position)
    }
}

extension StateName {
    /// Whether what is no document is as it is now: a rollback leaves all of that alone.
    var isOfNow: Bool {
        switch self {
        case .live, .rollback: true
        case .event, .time, .change, .snapshot: false
        }
    }
}

/// The newest document that apps of a generation could read, as far as the record was read.
private struct LastReadable {
    private let generation: ClientGeneration
    private var document: Document
    private var profile = DocumentProfile.complete
    private var command: CommandID?
    private var isMoved = false
    private var last: Document?

    init(by generation: ClientGeneration) {
        self.generation = generation
        document = Document(platform: generation.platform)
    }

    /// Takes in the next event of the app, of those that write a document or how it is published.
    mutating func take(_ recorded: RecordedEvent) {
        // Within an append there is no state.
        if recorded.command != command { last = ended }
        (command, isMoved) = (recorded.command, isMoved && recorded.command == command)
        guard case .app(let event) = recorded.event else { return }
        if let settings = recorded.settings {
            (profile, isMoved) = (settings.profile, true)
        } else if let operation = event.operation, operation.platform == document.platform {
            document.apply(operation)
            isMoved = true
        }
    }

    /// What it is where the record ends here.
    var ended: Document? {
        isMoved && document.published(profile).unread(by: [generation]).isEmpty ? document : last
    }
}

/// A document in a state, and what its store had then.
private struct DocumentSide {
    let side: DiffAnswer.Side
    var document: Document
    let releases: [KnownRelease]
    /// Those that are known, whether told or not.
    let known: ReleaseCatalog
    let instant: Instant
    let settings: AppSettings

    /// The device with what its store offered then, where it does not say so itself.
    func offering(_ device: Device) -> Device {
        device.offered(known.offered(by: device.platform, on: device.os, at: instant))
    }

    /// The apps in people's hands that refuse it.
    var unread: [UnreadDocument] { unread(by: settings.readers) }

    /// The newest apps that are to read it: where no shipped one is, those that link our library.
    ///
    /// `nil` on a platform that has no such document.
    var newestReader: ClientGeneration? {
        let platform = document.platform
        guard !platform.thresholds.isEmpty else { return nil }
        return settings.readers.last { $0.platform == platform } ?? .own(on: platform)
    }

    func unread(by generations: [ClientGeneration]) -> [UnreadDocument] {
        document.published(settings.profile).unread(by: generations)
    }
}
