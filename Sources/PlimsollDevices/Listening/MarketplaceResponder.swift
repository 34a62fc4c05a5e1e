package import Logging
package import PlimsollDomain
package import PlimsollEdge
import PlimsollJSON
import PlimsollMarketplace
import ServiceLifecycle
import Synchronization

/// Answers devices: who may ask, what there is for them, and a token for each package of it.
///
/// Small questions are answered at once, on the thread that read them. What takes longer is worked
/// at by ``run()``, so that phones which ask for documents never wait for it.
package final class MarketplaceResponder: DeviceResponder, Service {
    package struct Settings: Sendable {
        package let authorizer: any DeviceAuthorizer
        /// `nil` where no key is known: then nothing can be installed.
        package let signer: (any InstallTokenSigner)?
        /// Who sees to licences, where anybody does here.
        package var licenses: (any LicenseResponder)?
        package var now: @Sendable () -> Instant

        package init(
            authorizer: any DeviceAuthorizer,
            signer: (any InstallTokenSigner)?,
            licenses: (any LicenseResponder)? = nil,
            now: @escaping @Sendable () -> Instant
        ) {
            (self.authorizer, self.signer) = (authorizer, signer)
            (self.licenses, self.now) = (licenses, now)
        }
    }

    /// What is left to do once it is known who asks, and for what.
    private enum Step {
        case done(DeviceReply)
        case sign(DeviceAnswer)
        case license(any LicenseResponder)
    }

    private let settings: Settings
    private let logger: Logger
    private let metrics = DeviceMetrics()
    private let later = LateAnswers()
    private let complaint = Mutex(Complaint())

    /// So many tokens take less than half a millisecond.
    static let signedAtOnceMaximum = 8
    /// A body of so many bytes is read in less than one.
    static let readAtOnceMaximum = 8192

    package init(_ settings: Settings, logger: Logger) {
        (self.settings, self.logger) = (settings, logger)
    }

    /// Works at the answers that take longer, until graceful shutdown.
    ///
    /// It MUST stop after the listener, which waits for what it was promised.
    package func run() async throws {
        await later.run()
    }

    package func answer(
        _ post: DevicePost,
        deliver: @escaping @Sendable (DeviceReply) -> Void
    ) -> DeviceReply? {
        let decision = decide(post)
        if case .later = decision { return begin(post, decision, deliver) }
        // Who may not ask is told so, however much was sent.
        guard post.body.count <= Self.readAtOnceMaximum || decision.refusal != nil else {
            return begin(post, decision, deliver)
        }
        switch step(post, decision) {
        case .done(let reply): return reply
        case .sign(let answer) where answer.offers.count <= Self.signedAtOnceMaximum:
            return sign(answer, post)
        case .sign(let answer):
            return begin(post, deliver) { [self] in sign(answer, post) }
        case .license(let licenses):
            return begin(post, deliver) { await licenses.answer(post) }
        }
    }

    private func decide(_ post: DevicePost) -> DeviceAuthorization {
        settings.authorizer.decide(
            bearer: post.bearer,
            asking: post.storefront.marketplace,
            post.address.question ?? .restore,
            at: settings.now()
        )
    }

    // MARK: Later

    private func begin(
        _ post: DevicePost,
        _ decision: DeviceAuthorization,
        _ deliver: @escaping @Sendable (DeviceReply) -> Void
    ) -> DeviceReply? {
        begin(post, deliver) { [self] in
            var decision = decision
            while case .later(let decide) = decision { decision = await decide() }
            return switch step(post, decision) {
            case .done(let reply): reply
            case .sign(let answer): sign(answer, post)
            case .license(let licenses): await licenses.answer(post)
            }
        }
    }

    private func begin(
        _ post: DevicePost,
        _ deliver: @escaping @Sendable (DeviceReply) -> Void,
        _ work: @escaping @Sendable () async -> DeviceReply
    ) -> DeviceReply? {
        later.begin(deliver, work) ? nil : refuse(post, .crowded)
    }

    // MARK: Answering

    private func step(_ post: DevicePost, _ decision: DeviceAuthorization) -> Step {
        if let refusal = decision.refusal { return .done(refuse(post, refusal)) }
        guard let question = post.address.question else {
            return settings.licenses.map(Step.license) ?? .done(refuse(post, .noLicenses))
        }
        let request: DeviceRequest
        do throws(JSONIssues) {
            request = try DeviceRequest(parsing: post.body)
        } catch {
            return .done(refuse(post, .malformed(error)))
        }
        let answer = DeviceAnswer(question, request, in: post.storefront)
        metrics.count(answer, of: request)
        return .sign(answer)
    }

    private func sign(_ answer: DeviceAnswer, _ post: DevicePost) -> DeviceReply {
        guard let signer = settings.signer else {
            complain("devices are not answered", NoTokenKey())
            return refuse(post, .noTokens)
        }
        let (marketplace, now) = (post.storefront.marketplace, settings.now())
        do {
            let json = try answer.json { offer in
                try signer.token(
                    for: offer,
                    marketplace: marketplace,
                    downloadType: .download,
                    now: now
                )
            }
            return DeviceReply(.ok, body: json.canonicalBytes())
        } catch {
            complain("a token was not signed", error)
            return refuse(post, .noTokens)
        }
    }

    private func refuse(_ post: DevicePost, _ refusal: DeviceRefusal) -> DeviceReply {
        metrics.count(refusal, at: post.address)
        return refusal.reply
    }

    /// Once, however many ask.
    private func complain(_ message: Logger.Message, _ error: any Error) {
        complaint.withLock { $0.make(message, error, to: logger) }
    }
}

private struct NoTokenKey: Error, CustomStringConvertible {
    let description = "No key signs install verification tokens; name one with --token-key."
}

/// Sees to what devices ask of licences.
package protocol LicenseResponder: Sendable {
    /// It MUST come to an end by itself, in the minute that a device waits.
    func answer(_ post: DevicePost) async -> DeviceReply
}

extension DeviceAddress {
    /// What is asked there that snapshots answer; `nil` for licences.
    var question: DeviceQuestion? {
        switch self {
        case .restore: .restore
        case .updates: .updates
        case .dynamicLicense, .licenseRenewal: nil
        }
    }
}

extension DevicePost {
    /// The token that the request carries (RFC 6750, 2.1); `nil` where there is none.
    package var bearer: String? {
        guard let authorization else { return nil }
        let parts = authorization.split(separator: " ", maxSplits: 1)
        guard let scheme = parts.first, scheme.lowercased() == "bearer" else { return nil }
        return parts.dropFirst().first.map { String($0.drop { $0 == " " }) } ?? ""
    }
}

extension DeviceAuthorization {
    /// Why nothing is handed out, where it is known.
    var refusal: DeviceRefusal? {
        switch self {
        case .granted, .later: nil
        case .missing: .noBearer
        case .refused: .bearerRefused
        case .unavailable: .nobodyToAsk
        }
    }
}
