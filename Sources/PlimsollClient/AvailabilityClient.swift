import Foundation

/// Fetches the document of an app, checks it, keeps it, and says what it means for this device.
///
/// It never stops an app by failing: what cannot be fetched or is not accepted leaves the last good
/// document in force, a document that has expired counts on, and where there has never been one
/// the app runs. What went wrong is in the state.
///
/// ```swift
/// let client = AvailabilityClient(configuration)
/// for await state in client.states {
///     show(state.decision)
/// }
/// ```
public actor AvailabilityClient {
    let configuration: Configuration
    let environment: ClientEnvironment
    let verifier: DocumentVerifier
    let folder: DocumentFolder?

    var kept: KeptDocument?
    private var hasLooked = false
    private var storeVersion: Version?
    private var checkedAt: Date?
    private var refreshError: AvailabilityError?
    var keepingError: AvailabilityError?
    private var failures = 0
    private var isFetching = false
    /// How many have come to an end other than by being cancelled.
    private var fetches = 0
    private var isAskingStore = false
    /// How many fetches there had been when the store had last answered, or was given up.
    private var fetchesWithStore = 0
    /// When the next refresh is due, and when that was said; clocks are set back at times.
    private var due: (at: Date, said: Date)?
    private(set) var news = News()
    private var lastNumber = 0

    /// Neither reads nor fetches anything yet.
    public init(_ configuration: Configuration) {
        self.init(configuration, in: ClientEnvironment())
    }

    init(_ configuration: Configuration, in environment: ClientEnvironment) {
        self.configuration = configuration
        self.environment = environment
        let verifier = DocumentVerifier(
            keys: configuration.keys,
            app: configuration.app,
            platform: configuration.device.platform
        )
        self.verifier = verifier
        folder = configuration.folder.map {
            DocumentFolder(
                $0,
                app: configuration.app,
                platform: configuration.device.platform,
                verifier: verifier,
                bodyMaximum: configuration.bodyMaximum
            )
        }
    }

    /// What is known, from now on; see ``AvailabilityStates``.
    public nonisolated var states: AvailabilityStates { AvailabilityStates(client: self) }

    /// What is known without asking anybody; reads the folder once.
    public func state() -> AvailabilityState {
        lookIntoFolder()
        return currentState
    }

    /// What is known, with a number that is higher than that of all that was known before.
    package func numberedState() -> (number: Int, state: AvailabilityState) {
        lastNumber += 1
        return (lastNumber, state())
    }

    /// Asks the service now, and answers what is known then.
    ///
    /// Call it when the app comes to the foreground or is woken in the background; elsewhere
    /// iterate over ``states``. Who calls while another call is waiting for the service gets the
    /// same answer, or asks by itself where that call is cancelled. An answer takes no longer than
    /// ``Configuration/timeLimit``, as long again where the store is asked, and twice more where a
    /// quorum is wanted of a new document.
    @discardableResult
    public func refresh() async -> AvailabilityState {
        lookIntoFolder()
        await fetch()
        await askStore()
        return currentState
    }

    /// Asks the service if it is time to, and answers what is known then.
    @discardableResult
    public func refreshIfDue() async -> AvailabilityState {
        isDue ? await refresh() : state()
    }

    /// Forgets the document, on disk too, and with it the sequence below which none is accepted.
    ///
    /// For the day on which a service has to begin anew, with an update of the app. Where a file
    /// cannot be removed, it stays in force: the next process would read it again.
    public func forget() throws {
        defer { news.spread() }
        try folder?.clear()
        kept = nil
        due = nil
    }

    /// Waits until there may be something new, and takes one step of a refresh where it is due:
    /// what was fetched is shown before the store is asked.
    func nextState(after last: AvailabilityState) async -> AvailabilityState {
        let count = news.count
        guard !currentState.differs(from: last) else { return currentState }
        let isStoreNext = isStoreDue && !isAskingStore
        if !isDue, !isStoreNext { await waitForNews(since: count, atMost: pause) }
        guard !Task.isCancelled else { return last }
        if isDue {
            await fetch()
        } else if isStoreNext {
            // What somebody else fetches meanwhile is shown at once, too.
            await waitForNews(since: count) { await self.askStore() }
        }
        return currentState
    }

    private func waitForNews(since count: Int, atMost seconds: TimeInterval) async {
        let sleep = environment.sleep
        await waitForNews(since: count) { await sleep(seconds) }
    }

    /// Waits for news or until something else is over; whichever comes later is cancelled.
    private func waitForNews(
        since count: Int,
        or other: @escaping @Sendable () async -> Void
    ) async {
        guard news.count == count else { return }
        let bell = news.bell()
        await withTaskGroup(of: Void.self) { group in
            group.addTask(name: "other") { await other() }
            group.addTask(name: "news") { for await _ in bell.stream {} }
            await group.next()
            group.cancelAll()
        }
        news.remove(bell.id)
    }
}

// MARK: - Refreshing

extension AvailabilityClient {
    /// Asks the service; whoever comes while somebody does so waits for the same answer.
    private func fetch() async {
        guard !isFetching else {
            let (count, asked) = (news.count, fetches)
            await waitForNews(since: count, atMost: longestAnswer)
            // Who was asking may have been cancelled, and then nobody has asked.
            let isAnswered = news.count == count || fetches > asked || Task.isCancelled
            return isAnswered ? () : await fetch()
        }
        isFetching = true
        await askService()
        isFetching = false
        news.spread()
    }

    private var longestAnswer: TimeInterval {
        (configuration.quorum == nil ? 2 : 4) * configuration.timeLimit
    }

    private func askService() async {
        adopt(folder?.newest(above: kept?.sequence ?? 0))
        do {
            let answer = try await answer()
            try await accept(answer)
            fetches += 1
            refreshError = nil
            failures = 0
            checkedAt = environment.now()
            let freshFor = CacheControl(answer).freshFor
            let chance = environment.chance()
            wait(configuration.refreshPolicy.pause(freshFor: freshFor, chance: chance))
        } catch {
            // Whoever cancels learns nothing about the service.
            guard !Task.isCancelled else { return }
            fetches += 1
            fail(error)
        }
    }

    private func fail(_ error: any Error) {
        let failure = AvailabilityError(wrapping: error)
        refreshError = failure
        failures += 1
        wait(
            configuration.refreshPolicy.pause(
                failures: failures,
                retryAfter: failure.retryAfter,
                chance: environment.chance()
            )
        )
    }

    private func answer() async throws -> DocumentAnswer {
        try await answer(
            to: DocumentRequest(
                url: configuration.documentURL,
                entityTag: kept?.entityTag,
                bodyMaximum: configuration.bodyMaximum,
                timeLimit: configuration.timeLimit
            )
        )
    }

    func answer(to request: DocumentRequest) async throws -> DocumentAnswer {
        let transport = configuration.transport
        let result = try await InTime.run(configuration.timeLimit) {
            try await transport.answer(to: request)
        }
        guard case .done(let answer) = result else {
            throw AvailabilityError(
                .timedOut,
                "There was no whole answer within \(configuration.timeLimit) seconds."
            )
        }
        return answer
    }

    /// Asks the store once after each fetch; whoever comes while somebody does so waits for the
    /// same answer, or asks by itself where that one is cancelled.
    private func askStore() async {
        while isStoreDue, !Task.isCancelled {
            guard isAskingStore else {
                await lookUpStoreVersion()
                continue
            }
            let count = news.count
            await waitForNews(since: count, atMost: configuration.timeLimit)
            guard news.count > count else { return }
        }
    }

    private func lookUpStoreVersion() async {
        guard let lookUp = configuration.storeVersion else { return }
        isAskingStore = true
        // It cannot throw but by being cancelled, and then nobody needs its answer.
        let result = try? await InTime.run(configuration.timeLimit) { await lookUp() }
        if case .done(let version)? = result { storeVersion = version }
        if result != nil { fetchesWithStore = fetches }
        isAskingStore = false
        news.spread()
    }

    /// Whether the decision depends on what the store has, and it was not heard since the fetch.
    private var isStoreDue: Bool {
        guard fetchesWithStore < fetches, configuration.storeVersion != nil, let kept else {
            return false
        }
        return kept.document.asksStore(on: configuration.device)
    }

    private func wait(_ seconds: TimeInterval) {
        let now = environment.now()
        due = (now.addingTimeInterval(seconds), now)
    }
}

// MARK: - What is known

extension AvailabilityClient {
    private func lookIntoFolder() {
        guard !hasLooked else { return }
        hasLooked = true
        adopt(folder?.newest())
    }

    private var isDue: Bool {
        guard let due else { return true }
        let now = environment.now()
        return now >= due.at || now < due.said
    }

    /// Until the next refresh, or until the document expires.
    private var pause: TimeInterval {
        let now = environment.now()
        var pause = due.map { $0.at.timeIntervalSince(now) } ?? 0
        if let expiry = kept?.document.stamp.expiresAt, expiry > now {
            pause = min(pause, expiry.timeIntervalSince(now))
        }
        return min(max(pause, 0), configuration.refreshPolicy.bound)
    }

    private var currentState: AvailabilityState {
        AvailabilityState(
            decision: decision,
            document: kept?.document,
            freshness: freshness,
            checkedAt: checkedAt,
            refreshError: refreshError,
            keepingError: keepingError
        )
    }

    private var decision: Decision {
        guard let kept else { return .open }
        return kept.document.decision(
            on: configuration.device,
            storeVersion: storeVersion,
            languages: configuration.languages(),
            fallbackLanguage: configuration.fallbackLanguage
        )
    }

    private var freshness: AvailabilityState.Freshness {
        guard let expiry = kept?.document.stamp.expiresAt else { return .unknown }
        return expiry <= environment.now() ? .stale(since: expiry) : .fresh(until: expiry)
    }
}
