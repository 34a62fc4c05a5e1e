import Foundation
package import Logging
import Metrics
import PlimsollAPI
package import PlimsollDomain
import PlimsollEdge
import PlimsollJSON
package import PlimsollMarketplace
import Synchronization

/// What becomes of a request for licences.
package enum LicenseOutcome: Equatable, Sendable {
    /// 200, with this body.
    case answered([UInt8])
    /// 501: nobody here makes licences.
    case unconfigured
    /// 400: whoever opened the request found nothing in it that could be used.
    case rejected
    /// 503: whoever makes licences does not answer, or not as it has to.
    case away
}

/// Takes requests for licences to the service that can open them, and what that answers back.
///
/// Which apps get none is decided here; what a licence is only Apple's SDK knows, which runs in a
/// process of its own. Whatever that answers is read, and only what a device expects goes on.
package final class LicenseProxy: Sendable {
    /// Where the service is, and how long a device may have to wait for it.
    package struct Settings: Sendable {
        package var sidecar: OutsideAddress?
        package var timeout: Duration = .seconds(20)
        package var questionsMaximum = 64

        /// A device gives up after a minute.
        package static let timeouts: ClosedRange<Int> = 1...55

        package init(sidecar: OutsideAddress?) {
            self.sidecar = sidecar
        }
    }

    private struct State {
        var questions = 0
        var breaker = CircuitBreaker()
        var complaint = Complaint()
    }

    private let settings: Settings
    private let logger: Logger
    private let state = Mutex(State())

    private static let bytesMaximum = 1 << 20

    package init(_ settings: Settings, logger: Logger) {
        self.settings = settings
        self.logger = logger
    }

    /// New licences, for apps that a device is about to install.
    package func licenses(
        for request: LicenseRequest,
        account: String?,
        in storefront: Storefront,
        at now: Instant
    ) async -> LicenseOutcome {
        let refused = storefront.unlicensed(request)
        var question = Self.question(request.envelope, "licenseRequest", account, storefront)
        question["appsById"] = .object(
            JSONObject(
                request.apps.sorted { $0.key < $1.key }.map { item, app in
                    JSONObject.Member(
                        key: item.text,
                        value: [
                            "appleVersionId": .string(app.version.text),
                            "assetPublicId": .string(app.asset),
                        ]
                    )
                }
            )
        )
        question["unlicensedApps"] = Self.list(refused)
        return await outcome(of: "licenses", question, at: now) { body in
            Self.license(in: body, and: "unlicensedApps") { AppleItemID($0) }.flatMap { answer in
                // What nobody asked for has no place in the answer.
                guard answer.others.allSatisfy({ request.apps[$0] != nil }) else { return nil }
                return [
                    "license": .string(answer.license),
                    "unlicensedApps": Self.list(refused.union(answer.others)),
                ]
            }
        }
    }

    /// Licences that end soon, once more.
    package func renewals(
        for request: RenewalRequest,
        account: String?,
        in storefront: Storefront,
        at now: Instant
    ) async -> LicenseOutcome {
        let question = Self.question(request.envelope, "renewalRequest", account, storefront)
        return await outcome(of: "renewals", question, at: now) { body in
            Self.license(in: body, and: "ineligibleLicenses") { LicenseID($0) }.map { answer in
                [
                    "license": .string(answer.license),
                    "ineligibleLicenses": Self.list(answer.others),
                ]
            }
        }
    }

    private static func question(
        _ envelope: LicenseEnvelope,
        _ member: String,
        _ account: String?,
        _ storefront: Storefront
    ) -> JSONObject {
        var question: JSONObject = [
            "marketplace": .string(storefront.marketplace.item.text),
            member: .string(envelope.request), "licenseKey": .string(envelope.key),
            "policy": .object(storefront.licensePolicy),
        ]
        question["account"] = account.map { .string($0) }
        return question
    }

    private static func list(_ identifiers: some Sequence<some AppleIdentifier>) -> JSONValue {
        .array(identifiers.sorted().map { .string($0.text) })
    }

    /// What the service answered, where it is what a device can be told.
    private static func license<ID: AppleIdentifier>(
        in body: [UInt8],
        and list: String,
        _ make: (String) -> ID?
    ) -> (license: String, others: Set<ID>)? {
        let limits = JSONLimits(sizeMaximum: bytesMaximum)
        guard var reader = try? ObjectReader(parsing: body, limits: limits) else { return nil }
        let license = reader.string("license", needing: "base64") { text in
            Data(base64Encoded: text).flatMap { $0.isEmpty ? nil : text }
        }
        let others = reader.strings(list, needing: ID.grammar, make)
        return try? reader.finish(.ignored) {
            guard let license, let others else { return nil }
            return (license, Set(others))
        }
    }
}

extension LicenseProxy {
    private func outcome(
        of kind: String,
        _ question: JSONObject,
        at now: Instant,
        _ read: ([UInt8]) -> JSONObject?
    ) async -> LicenseOutcome {
        guard let sidecar = settings.sidecar else { return .unconfigured }
        let outcome: LicenseOutcome
        if begin(at: now) {
            let answer = await ask(sidecar, kind, question)
            let isCancelled = Task.isCancelled
            outcome = finish(isCancelled ? nil : answer, read, at: now)
        } else {
            outcome = .away
        }
        Counter(
            label: "plimsoll.devices.licenses",
            dimensions: [("kind", kind), ("outcome", outcome.name)]
        ).increment()
        return outcome
    }

    private func begin(at now: Instant) -> Bool {
        state.withLock { state in
            guard state.questions < settings.questionsMaximum, state.breaker.admits(at: now) else {
                return false
            }
            state.questions += 1
            return true
        }
    }

    private func ask(
        _ sidecar: OutsideAddress,
        _ kind: String,
        _ question: JSONObject
    ) async -> Result<WebAnswer, OutsideFailure> {
        let service = OutsideService(
            timeout: settings.timeout,
            bytesMaximum: Self.bytesMaximum
        )
        return await service.answer(
            to: WebRequest(
                .post,
                "\(sidecar)/\(kind)",
                headers: [
                    (name: "Content-Type", value: "application/json"),
                    (name: "Accept", value: "application/json"),
                ],
                body: question.canonicalBytes()
            )
        )
    }

    /// `nil` where nobody waits any more, which says nothing about the service.
    private func finish(
        _ answer: Result<WebAnswer, OutsideFailure>?,
        _ read: ([UInt8]) -> JSONObject?,
        at now: Instant
    ) -> LicenseOutcome {
        let failure: OutsideFailure
        switch answer {
        case nil: failure = OutsideFailure("nobody waits")
        case .failure(let reason): failure = reason
        case .success(let answer) where answer.status == 200:
            if let json = read(answer.body) { return end(.answered(json.canonicalBytes())) }
            failure = OutsideFailure("what it answers is no licence")
        case .success(let answer) where [400, 422].contains(answer.status): return end(.rejected)
        case .success(let answer): failure = OutsideFailure("it answers \(answer.status)")
        }
        state.withLock { state in
            state.questions -= 1
            guard answer != nil else { return }
            state.breaker.failed(at: now)
            state.complaint.make("licences not made", failure, to: logger)
        }
        return .away
    }

    private func end(_ outcome: LicenseOutcome) -> LicenseOutcome {
        state.withLock { state in
            state.questions -= 1
            state.breaker.succeeded()
            state.complaint.clear()
        }
        return outcome
    }
}

extension LicenseOutcome {
    fileprivate var name: String {
        switch self {
        case .answered: "answered"
        case .unconfigured: "unconfigured"
        case .rejected: "rejected"
        case .away: "away"
        }
    }
}

/// The number of a licence, which whoever makes licences gives out.
struct LicenseID: AppleIdentifier {
    let number: UInt64

    init?(number: UInt64) {
        self.number = number
    }
}
