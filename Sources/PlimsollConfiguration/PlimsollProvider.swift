public import Configuration
public import PlimsollClient
import Synchronization

/// Configuration from a published document, for whoever reads theirs with swift-configuration.
///
/// Every member of the document is a value, under its path: `minimumAppVersion.value`,
/// `recommendedAppVersion.title.en-GB`, `plimsoll.sequence`. Objects have no value of their own,
/// `null` is none. Texts are also bytes where they are base64, and whole numbers are also doubles.
/// Beside them stands what the document means for this device:
///
/// | key | value |
/// | --- | --- |
/// | `availability.runs` | whether the app may go on |
/// | `availability.verdict` | the name of a ``PlimsollClient/Verdict`` |
/// | `availability.title`, `availability.description` | in the reader's language, where there is one |
/// | `availability.stale` | whether the document has expired |
///
/// Values are those of the last good document, which is read from the disk by ``refresh()`` or
/// ``run()``, whichever comes first; before that, and where there is none, only `availability.runs`,
/// `availability.verdict` and `availability.stale` have a value. Reading never waits for the network.
///
/// ```swift
/// let provider = PlimsollProvider(client)
/// let config = ConfigReader(provider: provider)
/// async let following: Void = provider.run()
/// if !config.bool(forKey: "availability.runs", default: true) { … }
/// ```
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
public final class PlimsollProvider: Sendable {
    private let client: AvailabilityClient
    private let shared: Mutex<SharedSnapshot>

    /// Neither reads nor fetches anything yet.
    public init(_ client: AvailabilityClient) {
        self.client = client
        shared = Mutex(SharedSnapshot(snapshot: PlimsollSnapshot(nil)))
    }

    /// Follows the client's states until the task is cancelled, and tells those who watch.
    public func run() async {
        for await _ in client.states { await show() }
    }

    /// Asks the service now; whatever comes of it is shown when this returns.
    public func refresh() async {
        await client.refresh()
        await show()
    }

    private func show() async {
        let (number, state) = await client.numberedState()
        show(state, number: number)
    }

    /// Tasks come back from the client in any order; what is known longer is not shown again.
    func show(_ state: AvailabilityState, number: Int) {
        let snapshot = PlimsollSnapshot(state)
        shared.withLock { shared in
            guard number > shared.number else { return }
            (shared.snapshot, shared.number) = (snapshot, number)
            // Within the lock, so that whoever watches sees the newest last.
            for watcher in shared.watchers.values { watcher.yield(snapshot) }
        }
    }

    private func watch<Return: ~Copyable>(
        _ body: (AsyncStream<PlimsollSnapshot>) async throws -> Return
    ) async throws -> Return {
        let (stream, continuation) = AsyncStream.makeStream(
            of: PlimsollSnapshot.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let id = shared.withLock { shared in
            shared.lastID += 1
            shared.watchers[shared.lastID] = continuation
            // Within the lock, so that no newer one can come before it.
            continuation.yield(shared.snapshot)
            return shared.lastID
        }
        defer { shared.withLock { $0.watchers[id] = nil } }
        return try await body(stream)
    }
}

/// What is shown, and to whom.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private struct SharedSnapshot: Sendable {
    var snapshot: PlimsollSnapshot
    /// Which of the client's states it is of.
    var number = 0
    var watchers: [Int: AsyncStream<PlimsollSnapshot>.Continuation] = [:]
    var lastID = 0
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension PlimsollProvider: ConfigProvider {
    /// `Plimsoll`.
    public var providerName: String { PlimsollSnapshot.name }

    /// The value as it was shown last.
    public func value(
        forKey key: AbsoluteConfigKey,
        type: ConfigType
    ) throws -> LookupResult {
        try shared.withLock { $0.snapshot }.value(forKey: key, type: type)
    }

    /// The value after asking the service, if it is time to ask it again.
    public func fetchValue(
        forKey key: AbsoluteConfigKey,
        type: ConfigType
    ) async throws -> LookupResult {
        await client.refreshIfDue()
        await show()
        return try value(forKey: key, type: type)
    }

    /// The value, and then what it becomes, for as long as ``run()`` or somebody else refreshes.
    public func watchValue<Return: ~Copyable>(
        forKey key: AbsoluteConfigKey,
        type: ConfigType,
        updatesHandler: (
            _ updates: ConfigUpdatesAsyncSequence<Result<LookupResult, any Error>, Never>
        ) async throws -> Return
    ) async throws -> Return {
        try await watch { snapshots in
            try await updatesHandler(
                ConfigUpdatesAsyncSequence(
                    snapshots.map { snapshot in
                        Result { try snapshot.value(forKey: key, type: type) }
                    }
                )
            )
        }
    }

    /// All values as they were shown last, which belong together.
    public func snapshot() -> any ConfigSnapshot {
        shared.withLock { $0.snapshot }
    }

    /// All values, and then what they become, for as long as somebody refreshes.
    public func watchSnapshot<Return: ~Copyable>(
        updatesHandler: (
            _ updates: ConfigUpdatesAsyncSequence<any ConfigSnapshot, Never>
        ) async throws -> Return
    ) async throws -> Return {
        try await watch { snapshots in
            try await updatesHandler(ConfigUpdatesAsyncSequence(snapshots.map { $0 }))
        }
    }
}
