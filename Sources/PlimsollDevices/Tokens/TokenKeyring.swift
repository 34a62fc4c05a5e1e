import Foundation
package import Logging
package import PlimsollDomain
import PlimsollEdge
package import PlimsollPublishing
import ServiceLifecycle
import Synchronization
import UnixSignals

/// The keys that tokens are signed with, and which of them signs when.
package final class TokenKeyring: Sendable {
    private let places: [TokenKeyPlace]
    private let environment: @Sendable (String) -> String?
    private let state: Mutex<[Held]>

    private struct Held {
        /// As it was found, so that it is seen whether it changed; of a key that is kept elsewhere
        /// nothing.
        let text: String
        let key: TokenKey
    }

    /// Throws at the first key that cannot be used, and where none signs yet.
    ///
    /// Those of a key service are asked for over the connections; ``prove()`` looks at them.
    package init(
        _ places: [TokenKeyPlace],
        now: Instant,
        asking connections: KeyServiceConnections? = nil,
        within timeout: Duration = KeptTokenKey.defaultTimeout,
        environment: @escaping @Sendable (String) -> String? = {
            ProcessInfo.processInfo.environment[$0]
        }
    ) throws(TokenKeyError) {
        try Self.refuseAmbiguous(places)
        guard places.contains(where: { $0.start <= now }) else { throw .noneYet }
        var held: [Held] = []
        for place in places {
            guard case .service(let name) = place.keeper else {
                held.append(try Self.read(place, environment))
                continue
            }
            guard let connections else {
                throw .unreadable(place.keeper, reason: "no key service is asked here")
            }
            let key = KeptTokenKey(name, connections, within: timeout)
            held.append(Held(text: "", key: TokenKey(place, .kept(key))))
        }
        (self.places, self.environment) = (places, environment)
        state = Mutex(held)
    }

    /// Looks at the keys of a key service; answers the ids of those that it could not be asked about.
    ///
    /// Throws at the first that cannot sign tokens.
    package func prove() async throws(TokenKeyError) -> [TokenKeyID] {
        var unproven: [TokenKeyID] = []
        for key in state.withLock({ $0.map(\.key) }) where try await !key.prove() {
            unproven.append(key.place.id)
        }
        return unproven
    }

    /// The newest that has begun to sign; a marketplace's own keys go before those of all.
    func key(for marketplace: AppleItemID, at now: Instant) -> TokenKey? {
        state.withLock { held in
            let keys = held.lazy.map(\.key).filter {
                $0.place.start <= now && ($0.place.marketplace ?? marketplace) == marketplace
            }
            return keys.max { left, right in
                (left.place.marketplace == nil ? 0 : 1, left.place.start)
                    < (right.place.marketplace == nil ? 0 : 1, right.place.start)
            }
        }
    }

    /// Reads all places again and answers the ids of the keys that are others now.
    ///
    /// Those that cannot be used stay as they were; the first of them is thrown at the end.
    package func readAgain() throws(TokenKeyError) -> [TokenKeyID] {
        var changed: [TokenKeyID] = []
        var failure: TokenKeyError?
        for (index, place) in places.enumerated() where place.isHere {
            do throws(TokenKeyError) {
                let held = try Self.read(place, environment)
                let isOther = state.withLock { state in
                    guard state[index].text != held.text else { return false }
                    state[index] = held
                    return true
                }
                if isOther { changed.append(place.id) }
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        return changed
    }

    private static func read(
        _ place: TokenKeyPlace,
        _ environment: (String) -> String?
    ) throws(TokenKeyError) -> Held {
        let text = try place.keeper.read(environment)
        return Held(text: text, key: TokenKey(place, .held(try place.keeper.key(in: text))))
    }

    private static func refuseAmbiguous(_ places: [TokenKeyPlace]) throws(TokenKeyError) {
        for (index, place) in places.enumerated() {
            let isAmbiguous = places[..<index].contains {
                $0.marketplace == place.marketplace
                    && ($0.id == place.id || $0.start == place.start)
            }
            if isAmbiguous { throw .ambiguous(place.id) }
        }
    }
}

extension TokenKeyPlace {
    /// Whether the key itself is read here.
    package var isHere: Bool {
        if case .service = keeper { false } else { true }
    }
}

/// Keeps a keyring at what lies in its files.
///
/// It looks once a second, and at once when the process is sent `SIGHUP`. Whatever is wrong with a
/// new file, the key in use stays in use.
package struct TokenKeyWatcher: Service {
    private let reloader: TokenKeyReloader

    private static let interval: Duration = .seconds(1)

    package init(_ keyring: TokenKeyring, logger: Logger) {
        reloader = TokenKeyReloader(keyring, logger: logger)
    }

    /// Looks again and again until graceful shutdown.
    package func run() async throws {
        try await watchUntilShutdown {
            try await withThrowingDiscardingTaskGroup { tasks in
                tasks.addTask(name: "token keys") { try await look() }
                tasks.addTask(name: "token key signal") { await listen() }
            }
        }
    }

    private func look() async throws {
        while true {
            reloader.look()
            try await Task.sleep(for: Self.interval)
        }
    }

    private func listen() async {
        for await _ in await UnixSignalsSequence(trapping: .sighup) { reloader.look() }
    }
}

/// Reads the keys again and says what came of it, each complaint once.
final class TokenKeyReloader: Sendable {
    private let keyring: TokenKeyring
    private let logger: Logger
    private let complaint = Mutex(Complaint())

    init(_ keyring: TokenKeyring, logger: Logger) {
        self.keyring = keyring
        self.logger = logger
    }

    func look() {
        complaint.withLock { complaint in
            do throws(TokenKeyError) {
                for id in try keyring.readAgain() {
                    logger.notice("token key replaced", metadata: ["key.id": "\(id)"])
                }
                complaint.clear()
            } catch {
                complaint.make("token key not replaced", error, to: logger)
            }
        }
    }
}
