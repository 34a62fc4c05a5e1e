import PlimsollEdge
import ServiceLifecycle
import Synchronization

/// The answers that take so long that no thread of the listener may work at them.
///
/// Whoever was promised one gets one, also when the work is given up in the middle.
final class LateAnswers: Sendable {
    /// What is waited for; whatever is slow must not keep the others from being answered.
    enum Kind: CaseIterable {
        case authorization
        case licenses
        /// What only takes long: many tokens, or a look into the database.
        case packages
        /// A key service, which signs each token.
        case signing

        var maximum: Int {
            switch self {
            case .authorization: 128
            case .licenses: 64
            case .packages: 256
            case .signing: 64
            }
        }
    }

    private struct Work: Sendable {
        let kind: Kind
        let deliver: @Sendable (DeviceReply) -> Void
        let make: @Sendable () async -> DeviceReply?
    }

    private struct State {
        var waiting: [Work] = []
        /// Those at work counted as well.
        var counts: [Kind: Int] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())
    private let (bell, ringer) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    /// Whether the answer will be delivered; not where too many wait already.
    ///
    /// Takes how it is made: `nil` where it has been begun anew, among others that are waited for.
    func begin(
        _ kind: Kind,
        _ deliver: @escaping @Sendable (DeviceReply) -> Void,
        _ make: @escaping @Sendable () async -> DeviceReply?
    ) -> Bool {
        let isWelcome = state.withLock { state in
            let count = state.counts[kind] ?? 0
            guard !state.isClosed, count < kind.maximum else { return false }
            state.counts[kind] = count + 1
            state.waiting.append(Work(kind: kind, deliver: deliver, make: make))
            return true
        }
        if isWelcome { ringer.yield() }
        return isWelcome
    }

    /// Works until graceful shutdown; what is under way then is told to come to its end.
    func run() async {
        await cancelWhenGracefulShutdown { [self] in
            await withDiscardingTaskGroup { tasks in
                for await _ in bell {
                    for work in take() {
                        tasks.addTask(name: "device answer") { [self] in await finish(work) }
                    }
                }
                tasks.cancelAll()
            }
        }
        for work in close() { work.deliver(DeviceRefusal.crowded.reply) }
    }

    private func finish(_ work: Work) async {
        if let reply = await work.make() { work.deliver(reply) }
        state.withLock { $0.counts[work.kind, default: 0] -= 1 }
    }

    private func take() -> [Work] {
        state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    private func close() -> [Work] {
        state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [] }
            return state.waiting
        }
    }
}
