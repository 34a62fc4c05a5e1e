import Crypto
import Foundation
package import Logging
import Metrics
import PlimsollAPI
import PlimsollDomain
import PlimsollEdge
import Synchronization

/// Asks an authorization server what a token is worth (RFC 7662), and remembers it for a short while.
///
/// One question for a token at a time, so many for all, each within a time. A server that fails is
/// left alone for a while. Whatever goes wrong, nobody is let in for it.
package final class Introspection: Sendable {
    /// Whom to ask, as whom, and what tokens have to say.
    package struct Settings: Sendable {
        package var address: OutsideAddress
        package var client: ClientCredentials
        /// Compared where they are set.
        package var issuer: String?
        package var audience: String?
        package var timeout: Duration = .seconds(3)
        package var questionsMaximum = 64

        package init(_ address: OutsideAddress, as client: ClientCredentials) {
            self.address = address
            self.client = client
        }
    }

    private struct Known: Sendable {
        let verdict: Verdict
        let since: Instant
        let end: Instant

        /// Not what was found by a clock that was ahead.
        func counts(at now: Instant) -> Bool { since <= now && now < end }
    }

    private struct State {
        var answers = RecentAnswers<[UInt8], Known>(maximum: 20_000)
        var breaker = CircuitBreaker()
        var complaint = Complaint()
    }

    private let settings: Settings
    private let logger: Logger
    private let state = Mutex(State())
    var issuer: String? { settings.issuer }
    private let questions: SingleFlight<[UInt8], Verdict>

    private static let bytesMaximum = 64 << 10
    /// For how long an answer counts, unless the token ends before.
    private static let memory: Duration = .seconds(60)
    /// A token that was refused may become good: its owner has only just got it.
    private static let memoryOfRefusals: Duration = .seconds(5)

    package init(_ settings: Settings, logger: Logger) {
        self.settings = settings
        self.logger = logger
        questions = SingleFlight(flightsMaximum: settings.questionsMaximum)
    }

    /// What is remembered of the token.
    func known(_ token: String, at now: Instant) -> Verdict? {
        let digest = Self.digest(token)
        return state.withLock { state in
            guard let known = state.answers[digest], known.counts(at: now) else { return nil }
            return known.verdict
        }
    }

    /// Asks, for all who want to know of the token at once.
    func verdict(on token: String, at now: Instant) async -> Verdict {
        let digest = Self.digest(token)
        let verdict = await questions.value(of: digest) {
            // Whoever was second a moment ago finds the answer of the first.
            if let known = known(token, at: now) { return known }
            guard state.withLock({ $0.breaker.admits(at: now) }) else { return .unavailable }
            let claims = await self.answer(on: token)
            // Whoever goes away says nothing about the server.
            if Task.isCancelled { return .unavailable }
            return keep(claims, of: digest, at: now)
        }
        let found = verdict ?? .unavailable
        Counter(label: "plimsoll.devices.introspections", dimensions: [("outcome", found.name)])
            .increment()
        return found
    }

    private func keep(
        _ answer: Result<IntrospectionAnswer, OutsideFailure>,
        of digest: [UInt8],
        at now: Instant
    ) -> Verdict {
        state.withLock { state in
            switch answer {
            case .failure(let failure):
                state.breaker.failed(at: now)
                state.complaint.make("introspection failed", failure, to: logger)
                return .unavailable
            case .success(let answer):
                state.breaker.succeeded()
                state.complaint.clear()
                let verdict = verdict(on: answer, at: now)
                state.answers.keep(
                    Known(verdict: verdict, since: now, end: end(of: verdict, answer, now)),
                    for: digest
                )
                return verdict
            }
        }
    }

    private func verdict(on answer: IntrospectionAnswer, at now: Instant) -> Verdict {
        guard answer.active, let claims = answer.claims,
            claims.meet(issuer: settings.issuer, audience: settings.audience, at: now)
        else { return .refused }
        return .granted(account: claims.sub)
    }

    private func end(
        of verdict: Verdict,
        _ answer: IntrospectionAnswer,
        _ now: Instant
    ) -> Instant {
        guard case .granted = verdict else { return now.advanced(by: Self.memoryOfRefusals) }
        let end = now.advanced(by: Self.memory)
        guard let expiry = answer.claims?.exp, expiry < Double(end.secondsSince1970) else {
            return end
        }
        return Instant(millisecondsSince1970: Int64(max(expiry, 0) * 1000))
    }

    private func answer(on token: String) async -> Result<IntrospectionAnswer, OutsideFailure> {
        let form = [
            (name: "token", value: token), (name: "token_type_hint", value: "access_token"),
        ]
        let request = WebRequest(
            .post,
            settings.address.text,
            headers: [
                (name: "Content-Type", value: "application/x-www-form-urlencoded"),
                (name: "Accept", value: "application/json"),
                (name: "Authorization", value: settings.client.authorization),
            ],
            body: Array(ServiceAddress.query(form).utf8)
        )
        let service = OutsideService(
            timeout: settings.timeout,
            bytesMaximum: Self.bytesMaximum
        )
        return await service.answer(to: request).flatMap { answer in
            guard answer.status == 200 else {
                return .failure(OutsideFailure("it answers \(answer.status)"))
            }
            guard let read = IntrospectionAnswer(parsing: answer.body) else {
                return .failure(OutsideFailure("what it answers cannot be read"))
            }
            return .success(read)
        }
    }

    private static func digest(_ token: String) -> [UInt8] {
        Array(SHA256.hash(data: Array(token.utf8)))
    }
}

extension Verdict {
    fileprivate var name: String {
        switch self {
        case .granted: "granted"
        case .refused: "refused"
        case .unavailable: "unavailable"
        }
    }
}

/// As whom this service asks an authorization server.
package struct ClientCredentials: Sendable, CustomStringConvertible {
    private let id: String
    private let secret: String

    package init?(id: String, secret: String) {
        guard !id.isEmpty, !secret.isEmpty else { return nil }
        (self.id, self.secret) = (id, secret)
    }

    /// RFC 6749, 2.3.1: both are written as in a form before they are joined.
    fileprivate var authorization: String {
        let pair = "\(ServiceAddress.encoded(id)):\(ServiceAddress.encoded(secret))"
        return "Basic \(Data(pair.utf8).base64EncodedString())"
    }

    package var description: String { "client \(id)" }
}

/// What an authorization server says of a token.
private struct IntrospectionAnswer: Sendable {
    let active: Bool
    /// `nil` where the token is good and what is said of it cannot be read.
    let claims: AccessClaims?

    private struct Activity: Decodable {
        let active: Bool
    }

    init?(parsing bytes: [UInt8]) {
        let data = Data(bytes)
        guard let activity = try? JSONDecoder().decode(Activity.self, from: data) else {
            return nil
        }
        active = activity.active
        claims = try? JSONDecoder().decode(AccessClaims.self, from: data)
    }
}
