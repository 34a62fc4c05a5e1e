package import Logging
import Metrics
package import PlimsollDomain
package import PlimsollStore
import ServiceLifecycle
import Synchronization

/// Sends what happens to those who asked for it.
///
/// Of all processes on a database only the holder of a lease sends; the others wait for it. Nobody
/// who appends waits for it, and a receiver that is down or slow holds up none but its own queue.
package struct WebhookDispatcher: Service {
    private let parts: DispatcherParts

    private static let looksWithoutKey = 10

    package init(_ parts: DispatcherParts) {
        self.parts = parts
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown { await work() }
        await parts.lead.release()
    }

    private func work() async {
        var complaint: String?
        while !Task.isCancelled {
            var rest = parts.intervals.check
            do {
                if hasWork, try await parts.lead.takeIfFree() {
                    try await shift()
                    if !canSign { rest = parts.intervals.withoutKey }
                }
                complaint = nil
            } catch is CancellationError {
                return
            } catch {
                if complaint != "\(error)", !Task.isCancelled {
                    parts.logger.warning("no webhook is served", metadata: ["error": "\(error)"])
                }
                complaint = "\(error)"
            }
            // A cancelled pause ends the loop.
            try? await parts.pause(rest)
        }
    }

    private var hasWork: Bool { !(parts.useCases.knownWebhooks?.all ?? []).isEmpty }

    /// Whether anything that is to be sent can be signed here.
    ///
    /// A key that cannot be read is none, and every attempt says so.
    private var canSign: Bool {
        let enabled = (parts.useCases.knownWebhooks?.all ?? []).filter(\.isEnabled)
        guard !enabled.isEmpty else { return true }
        guard let key = try? parts.sender.key.id() else { return false }
        return enabled.contains { $0.secrets.first?.key == key }
    }

    /// Holds the lease, and has a queue run for every webhook that wants events.
    ///
    /// Where nothing can be signed people are told by failed attempts, and the lease is given back
    /// from time to time: another process may have the key.
    private func shift() async throws {
        let term = try parts.lead.confirm()
        try await catchUp()
        show(isServing: true)
        defer {
            show(isServing: false)
            show(givenUp: 0)
        }
        let running = RunningQueues()
        try await withThrowingDiscardingTaskGroup { group in
            let lead = parts.lead
            // It ends with the shift.
            group.addTask(name: "dispatcher lease") { _ = try? await lead.keep() }
            var known: Set<WebhookID>?
            var looks = 0
            while hasWork, canSign || looks < Self.looksWithoutKey {
                looks += 1
                try parts.lead.confirm(term)
                // A queue that is at an attempt writes it down, whatever became of its webhook.
                let busy = running.all
                let webhooks = parts.useCases.knownWebhooks?.all ?? []
                let ids = busy.union(webhooks.map(\.id))
                if known.map({ !$0.isSubset(of: ids) }) ?? true {
                    try await parts.store.forget(allBut: webhooks.map(\.id), as: term)
                }
                known = ids
                show(givenUp: webhooks.count { $0.stop?.by == .system })
                for webhook in webhooks where webhook.isEnabled && running.begin(webhook.id) {
                    let (id, parts) = (webhook.id, parts)
                    group.addTask(name: "webhook queue \(id)") {
                        var queue = WebhookQueue(id, in: term, parts)
                        await queue.run()
                        running.end(id)
                    }
                }
                try await parts.pause(parts.intervals.check)
            }
            group.cancelAll()
        }
        if let webhooks = parts.useCases.knownWebhooks, webhooks.all.isEmpty {
            try await parts.store.forget(allBut: [], as: term)
        }
        await parts.lead.release()
    }

    /// Who sent before may have known of webhooks that this instance has not heard of yet, and what is
    /// not known is forgotten.
    private func catchUp() async throws {
        if try await parts.useCases.knowsHead() { return }
        // A stop gives the lease back when it is through.
        if !Task.isCancelled { await parts.lead.release() }
        throw RecordBehind()
    }

    /// What an operator is to see to: receivers that failed for too long.
    private func show(givenUp count: Int) {
        Gauge(label: "plimsoll.webhooks.given_up").record(count)
    }

    private func show(isServing: Bool) {
        Gauge(label: "plimsoll.courier.active").record(isServing ? 1 : 0)
        parts.logger.info(isServing ? "sending to webhooks" : "sending to no webhook")
    }
}

private struct RecordBehind: Error, CustomStringConvertible {
    let description = "this instance does not know yet what others have recorded"
}

/// The webhooks that have a queue at present.
private final class RunningQueues: Sendable {
    private let ids = Mutex<Set<WebhookID>>([])

    /// Answers whether it has none yet.
    func begin(_ id: WebhookID) -> Bool {
        ids.withLock { $0.insert(id).inserted }
    }

    var all: Set<WebhookID> { ids.withLock(\.self) }

    func end(_ id: WebhookID) {
        ids.withLock { _ = $0.remove(id) }
    }
}

/// What the queues of the webhooks have in common.
package struct DispatcherParts: Sendable {
    package let useCases: UseCases
    package let sender: WebhookSender
    package let store: WebhookProgressStore
    package var lead: Leadership
    package let logger: Logger
    package var schedule = RetrySchedule()
    package var intervals = DispatcherIntervals()
    /// Of all events in one message; what stands before receivers often takes a megabyte and no more.
    package var messageBytesMaximum = 512 << 10
    package var pause: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    /// From 0 to 1.
    package var chance: @Sendable () -> Double = { .random(in: 0...1) }

    package init(
        useCases: UseCases,
        sender: WebhookSender,
        store: WebhookProgressStore,
        lead: Leadership,
        logger: Logger
    ) {
        self.useCases = useCases
        self.sender = sender
        self.store = store
        self.lead = lead
        self.logger = logger
    }

    func now() -> Instant { sender.now() }
}

/// How often queues look by themselves.
package struct DispatcherIntervals: Sendable {
    /// Sees whether the lease is held, and which webhooks there are.
    package var check = Duration.seconds(1)
    /// How long a queue waits for events before it looks whether its webhook is still there.
    package var look = Duration.seconds(1)
    /// After the database or the log were away.
    package var recovery = Duration.seconds(1)
    /// After nothing could be signed, so that another process that has the key may take over.
    package var withoutKey = Duration.seconds(60)

    package init() {}
}

/// Which places events may be sent to.
///
/// Whoever may register a webhook must not be able to reach, through us, what only we can reach.
package struct Admission: Equatable, Sendable {
    /// Whether messages may travel in the clear.
    package let allowsUnencrypted: Bool
    /// Networks that may be sent to although they are nobody's on the Internet.
    package let networks: [IPNetwork]

    package init(allowsUnencrypted: Bool = false, networks: [IPNetwork] = []) {
        self.allowsUnencrypted = allowsUnencrypted
        self.networks = networks
    }

    /// Why nothing is ever sent there, as far as the address alone tells.
    package func objection(to url: WebhookURL) -> String? {
        guard url.isEncrypted || allowsUnencrypted else {
            return "the address has to begin with https://"
        }
        return url.address.flatMap { address in
            objection(to: address).map { "\(url.host) is \($0)" }
        }
    }

    /// What an address is that nothing is sent to.
    package func objection(to address: IPAddress) -> String? {
        guard let reservation = address.reservation,
            !networks.contains(where: { $0.contains(address) })
        else { return nil }
        return reservation
    }
}
