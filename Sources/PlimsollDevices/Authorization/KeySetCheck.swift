import Foundation
import JWTKit
package import Logging
import Metrics
import PlimsollAPI
package import PlimsollDomain
import PlimsollEdge
package import PlimsollSystem
import ServiceLifecycle
import Synchronization

/// Checks signed access tokens against a JWK Set, which a file or an address has.
///
/// The set is read again now and then, and where a token names a key that it does not have. While
/// it cannot be read, the last one counts, for a day; after that nobody can tell, and nothing is
/// handed out.
package final class KeySetCheck: Sendable {
    /// Where the set is, and what tokens have to say.
    package struct Settings: Sendable {
        package var source: Source
        package var issuer: String
        package var audience: String
        package var timeout: Duration = .seconds(5)

        package init(_ source: Source, issuer: String, audience: String) {
            self.source = source
            self.issuer = issuer
            self.audience = audience
        }
    }

    /// Where a JWK Set is.
    package enum Source: Sendable {
        case file(Path)
        case address(OutsideAddress)
    }

    private struct State {
        var set: KeySet?
        var readAt: Instant?
        var triedAt: Instant?
        var complaint = Complaint()
    }

    private let settings: Settings
    private let logger: Logger
    private let state = Mutex(State())
    var issuer: String { settings.issuer }
    private let reading = SingleFlight<String, Bool>(flightsMaximum: 1, waitersMaximum: 1024)

    /// A token with a made-up key must not make this ask all the time.
    private static let pause: Duration = .seconds(30)
    private static let trusted: Duration = .seconds(86_400)
    /// Those that tokens may be signed with; none of them takes a shared secret.
    private static let algorithms: Set<String> = [
        "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA",
    ]

    package init(_ settings: Settings, logger: Logger) {
        self.settings = settings
        self.logger = logger
    }

    /// What can be told at once; `nil` where the set has to be read first.
    func known(_ token: String, at now: Instant) -> Verdict? {
        guard let token = AccessToken(token), Self.algorithms.contains(token.algorithm) else {
            return .refused
        }
        guard let set = trustedSet(at: now) else { return mayRead(at: now) ? nil : .unavailable }
        switch set.find(token.keyID, token.algorithm) {
        case .verifier(let verifier):
            let isSigned = try? verifier.verify(token.signature, signs: token.signed)
            return isSigned == true ? verdict(on: token.claims, at: now) : .refused
        case .unknown: return mayRead(at: now) ? nil : .refused
        case .unfit: return .refused
        }
    }

    /// The same, once the set was read again.
    func verdict(on token: String, at now: Instant) async -> Verdict {
        if mayRead(at: now) {
            guard await read(at: now) else { return .unavailable }
        }
        return known(token, at: now) ?? .refused
    }

    private func verdict(on claims: AccessClaims?, at now: Instant) -> Verdict {
        // A token without an end is one that nobody can take back.
        guard let claims, claims.exp != nil,
            claims.meet(issuer: settings.issuer, audience: settings.audience, at: now)
        else { return .refused }
        return .granted(account: claims.sub)
    }

    private func trustedSet(at now: Instant) -> KeySet? {
        state.withLock { state in
            // By a clock that was ahead nobody can tell how old it is.
            guard let readAt = state.readAt, now < readAt.advanced(by: Self.trusted),
                readAt <= now.advanced(by: Self.pause)
            else { return nil }
            return state.set
        }
    }

    private func mayRead(at now: Instant) -> Bool {
        state.withLock { state in
            guard let triedAt = state.triedAt else { return true }
            // A clock that was set back keeps nobody waiting.
            return now >= triedAt.advanced(by: Self.pause)
                || triedAt > now.advanced(by: Self.pause)
        }
    }

    /// Reads the set, for all who want it at once; whether it could be read.
    @discardableResult
    package func read(at now: Instant) async -> Bool {
        await reading.value(of: "set") {
            let bytes: Result<[UInt8], OutsideFailure> = await self.bytes()
            var found: Result<KeySet, OutsideFailure>
            switch bytes {
            case .failure(let failure): found = .failure(failure)
            case .success(let bytes):
                let set = await KeySet(parsing: bytes)
                found = set.map(Result.success) ?? .failure(OutsideFailure("it is no JWK Set"))
            }
            return keep(found, at: now)
        } ?? false
    }

    private func keep(_ found: Result<KeySet, OutsideFailure>, at now: Instant) -> Bool {
        state.withLock { state in
            state.triedAt = now
            switch found {
            case .success(let set):
                (state.set, state.readAt) = (set, now)
                state.complaint.clear()
                return true
            case .failure(let failure):
                Counter(label: "plimsoll.devices.keysets.failures").increment()
                state.complaint.make("key set not read", failure, to: logger)
                return false
            }
        }
    }

    private func bytes() async -> Result<[UInt8], OutsideFailure> {
        switch settings.source {
        case .file(let path):
            let bytes = try? path.read(sizeMaximum: KeySet.bytesMaximum)
            return bytes.map(Result.success) ?? .failure(OutsideFailure("the file cannot be read"))
        case .address(let address):
            let service = OutsideService(
                timeout: settings.timeout,
                bytesMaximum: KeySet.bytesMaximum
            )
            return await service.answer(to: WebRequest(.get, address.text)).flatMap { answer in
                guard answer.status == 200 else {
                    return .failure(OutsideFailure("it answers \(answer.status)"))
                }
                return .success(answer.body)
            }
        }
    }
}

/// Reads the key set at the start and every few minutes, so that keys that were taken back are
/// found out.
package struct KeySetWatcher: Service {
    private let check: KeySetCheck

    private static let interval: Duration = .seconds(300)

    package init(_ check: KeySetCheck) {
        self.check = check
    }

    /// Reads again and again until graceful shutdown.
    package func run() async throws {
        try await watchUntilShutdown {
            while true {
                await check.read(at: Instant(Date.now))
                try await Task.sleep(for: Self.interval * Double.random(in: 0.9...1.1))
            }
        }
    }
}
