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
    /// Who judges and who signs, and what is done besides.
    package struct Settings: Sendable {
        package let authorizer: any DeviceAuthorizer
        /// `nil` where no key is known: then nothing can be installed.
        package let signer: (any InstallTokenSigner)?
        /// Who sees to licences, where anybody does here.
        package var licenses: LicenseProxy?
        package var now: @Sendable () -> Instant

        package init(
            authorizer: any DeviceAuthorizer,
            signer: (any InstallTokenSigner)?,
            licenses: LicenseProxy? = nil,
            now: @escaping @Sendable () -> Instant
        ) {
            (self.authorizer, self.signer) = (authorizer, signer)
            (self.licenses, self.now) = (licenses, now)
        }
    }

    let settings: Settings
    private let logger: Logger
    private let metrics = DeviceMetrics()
    private let later = LateAnswers()
    /// Of each marketplace whose tokens cannot be had; an answer with a token clears its own.
    private let complaints = Mutex<[AppleItemID: Complaint]>([:])
    private let memory = Mutex<DownloadTypes?>(nil)

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

    /// Tells first downloads from others from now on.
    package func remember(_ downloads: DownloadTypes) {
        memory.withLock { $0 = downloads }
    }

    var downloads: DownloadTypes? { memory.withLock { $0 } }

    package func answer(
        _ post: DevicePost,
        deliver: @escaping @Sendable (DeviceReply) -> Void
    ) -> DeviceReply? {
        let decision = settings.authorizer.decide(
            bearer: post.bearer,
            asking: post.storefront.marketplace,
            at: settings.now()
        )
        // Who may not ask is told so, however much was sent.
        if let refusal = decision.refusal { return refuse(post, refusal) }
        guard case .granted(let account) = decision, post.body.count <= Self.readAtOnceMaximum
        else { return begin(post, decision, deliver) }
        return answer(post, for: account, deliver)
    }

    private func answer(
        _ post: DevicePost,
        for account: String?,
        _ deliver: @escaping @Sendable (DeviceReply) -> Void
    ) -> DeviceReply? {
        let asked = read(post)
        if let reply = answerAtOnce(asked, post, account) { return reply }
        return begin(post, kind(of: post), deliver) { [self] in
            await answerLater(asked, post, account)
        }
    }

    // MARK: Later

    private func begin(
        _ post: DevicePost,
        _ decision: DeviceAuthorization,
        _ deliver: @escaping @Sendable (DeviceReply) -> Void
    ) -> DeviceReply? {
        guard decision.isLater else {
            return begin(post, kind(of: post), deliver) { [self] in
                await answerLater(read(post), post, decision.account)
            }
        }
        return begin(post, .authorization, deliver) { [self] in
            var decision = decision
            while case .later(let decide) = decision { decision = await decide() }
            if let refusal = decision.refusal { return refuse(post, refusal) }
            // Whoever is known waits among others, and keeps nobody from being judged.
            return answer(post, for: decision.account, deliver)
        }
    }

    private func begin(
        _ post: DevicePost,
        _ kind: LateAnswers.Kind,
        _ deliver: @escaping @Sendable (DeviceReply) -> Void,
        _ work: @escaping @Sendable () async -> DeviceReply?
    ) -> DeviceReply? {
        later.begin(kind, deliver, work) ? nil : refuse(post, .crowded)
    }

    /// What is waited for, once it is known who asks.
    private func kind(of post: DevicePost) -> LateAnswers.Kind {
        switch post.address {
        case .dynamicLicense, .licenseRenewal: return .licenses
        case .restore, .updates, .installToken:
            let marketplace = post.storefront.marketplace.item
            let asks = settings.signer?.asksOthers(for: marketplace, at: settings.now())
            return asks == true ? .signing : .packages
        }
    }

    // MARK: Reading

    /// What a device asks for, as far as nobody else has a say in it.
    private enum Asked: Sendable {
        case refused(DeviceRefusal)
        case packages(DeviceAnswer)
        case token(TokenRequest, PackageOffer)
        case licenses(LicenseRequest)
        case renewals(RenewalRequest)
    }

    private func read(_ post: DevicePost) -> Asked {
        do throws(JSONIssues) {
            switch post.address {
            case .restore: return try packages(.restore, post)
            case .updates: return try packages(.updates, post)
            case .installToken:
                let request = try TokenRequest(parsing: post.body)
                if isExpired([request.item], post) { return .refused(.expired) }
                return switch request.answer(in: post.storefront) {
                case .success(let offer): .token(request, offer)
                case .failure(let reason): .refused(.unavailable(reason))
                }
            case .dynamicLicense:
                let request = try LicenseRequest(parsing: post.body)
                return isExpired(request.apps.keys, post) ? .refused(.expired) : .licenses(request)
            case .licenseRenewal:
                let request = try RenewalRequest(parsing: post.body)
                return isExpired([], post) ? .refused(.expired) : .renewals(request)
            }
        } catch {
            return .refused(.malformed(error))
        }
    }

    private func packages(
        _ question: DeviceQuestion,
        _ post: DevicePost
    ) throws(JSONIssues) -> Asked {
        let request = try DeviceRequest(parsing: post.body)
        if isExpired(request.apps.map(\.item), post) { return .refused(.expired) }
        return .packages(DeviceAnswer(question, request, in: post.storefront))
    }

    private func isExpired(_ items: some Sequence<AppleItemID>, _ post: DevicePost) -> Bool {
        post.storefront.isExpired(for: items, at: settings.now())
    }

    // MARK: Answering

    /// `nil` where somebody else has to be asked, or where it takes long.
    private func answerAtOnce(
        _ asked: Asked,
        _ post: DevicePost,
        _ account: String?
    ) -> DeviceReply? {
        switch asked {
        case .refused(let refusal): return refuse(post, refusal)
        case .packages(let answer):
            guard
                answer.offers.count <= Self.signedAtOnceMaximum,
                answer.offers.isEmpty || !needsMemory(answer.question, account)
            else { return nil }
            return signAtOnce(unsigned(answer, redownloads: []), post)
        case .token(let request, let offer):
            guard request.isRedownload != nil || !needsMemory(.restore, account) else { return nil }
            let isRedownload = request.isRedownload ?? false
            return signAtOnce(unsigned(offer, isRedownload: isRedownload), post)
        case .licenses, .renewals:
            return settings.licenses == nil ? refuse(post, .noLicenses) : nil
        }
    }

    private func needsMemory(_ question: DeviceQuestion, _ account: String?) -> Bool {
        downloads?.needsLook(for: question, of: account) ?? false
    }

    private func answerLater(
        _ asked: Asked,
        _ post: DevicePost,
        _ account: String?
    ) async -> DeviceReply {
        if let reply = answerAtOnce(asked, post, account) { return reply }
        let now = settings.now()
        switch asked {
        case .refused(let refusal): return refuse(post, refusal)
        case .packages(let answer):
            let items = Set(answer.offers.map(\.item))
            let had = await redownloads(of: items, answer.question, account)
            return await sign(unsigned(answer, redownloads: had), post)
        case .token(let request, let offer):
            let item = offer.item
            let had = await redownloads(of: [item], .restore, account)
            let isRedownload = request.isRedownload ?? had.contains(item)
            return await sign(unsigned(offer, isRedownload: isRedownload), post)
        case .licenses(let request):
            return conclude(
                await settings.licenses?.licenses(
                    for: request,
                    account: account,
                    in: post.storefront,
                    at: now
                ),
                post
            )
        case .renewals(let request):
            return conclude(
                await settings.licenses?.renewals(
                    for: request,
                    account: account,
                    in: post.storefront,
                    at: now
                ),
                post
            )
        }
    }

    private func redownloads(
        of items: Set<AppleItemID>,
        _ question: DeviceQuestion,
        _ account: String?
    ) async -> Set<AppleItemID> {
        await downloads?.redownloads(of: items, for: question, of: account) ?? []
    }

    private func conclude(_ outcome: LicenseOutcome?, _ post: DevicePost) -> DeviceReply {
        switch outcome {
        case .answered(let body): DeviceReply(.ok, body: body)
        case .rejected: refuse(post, .licenseRejected)
        case .away: refuse(post, .licensesAway)
        case .unconfigured, nil: refuse(post, .noLicenses)
        }
    }

    // MARK: Signing

    /// What is answered once there are tokens for it.
    private struct Unsigned: Sendable {
        let parts: [TokenOrder.Part]
        let body: @Sendable ([[UInt8]]) -> [UInt8]
    }

    private func unsigned(_ answer: DeviceAnswer, redownloads: Set<AppleItemID>) -> Unsigned {
        let parts = answer.offers.map { offer in
            let isRedownload = redownloads.contains(offer.item)
            return TokenOrder.Part(offer, isRedownload: isRedownload)
        }
        return Unsigned(parts: parts) { [metrics] tokens in
            metrics.count(answer)
            return answer.bytes(tokens)
        }
    }

    private func unsigned(_ offer: PackageOffer, isRedownload: Bool) -> Unsigned {
        Unsigned(parts: [TokenOrder.Part(offer, isRedownload: isRedownload)]) { tokens in
            offer.answer(token: tokens[0])
        }
    }

    /// `nil` where somebody else has to be asked.
    private func signAtOnce(_ unsigned: Unsigned, _ post: DevicePost) -> DeviceReply? {
        do {
            guard let signer = settings.signer else { throw NoTokenKey() }
            let order = order(unsigned, post)
            return try signer.tokensAtOnce(order).map { reply(unsigned, $0, post) }
        } catch {
            return refuse(post, because: error)
        }
    }

    private func sign(_ unsigned: Unsigned, _ post: DevicePost) async -> DeviceReply {
        do {
            guard let signer = settings.signer else { throw NoTokenKey() }
            return reply(unsigned, try await signer.tokens(order(unsigned, post)), post)
        } catch {
            return refuse(post, because: error)
        }
    }

    private func order(_ unsigned: Unsigned, _ post: DevicePost) -> TokenOrder {
        let marketplace = post.storefront.marketplace.item
        return TokenOrder(unsigned.parts, marketplace: marketplace, now: settings.now())
    }

    private func reply(
        _ unsigned: Unsigned,
        _ tokens: [[UInt8]],
        _ post: DevicePost
    ) -> DeviceReply {
        if !tokens.isEmpty { clearComplaint(of: post.storefront.marketplace.item) }
        return DeviceReply(.ok, body: unsigned.body(tokens))
    }

    private func refuse(_ post: DevicePost, because error: any Error) -> DeviceReply {
        let message: Logger.Message =
            error is NoTokenKey ? "devices are not answered" : "a token was not signed"
        complain(message, error, of: post.storefront.marketplace.item)
        return refuse(post, .noTokens)
    }

    private func refuse(_ post: DevicePost, _ refusal: DeviceRefusal) -> DeviceReply {
        metrics.count(refusal, at: post.address)
        return refusal.reply
    }

    /// Once, however many ask.
    private func complain(
        _ message: Logger.Message,
        _ error: any Error,
        of marketplace: AppleItemID
    ) {
        complaints.withLock {
            $0[marketplace, default: Complaint()]
                .make(message, error, ["marketplace.item": "\(marketplace)"], to: logger)
        }
    }

    private func clearComplaint(of marketplace: AppleItemID) {
        complaints.withLock { if !$0.isEmpty { $0[marketplace] = nil } }
    }
}

private struct NoTokenKey: Error, CustomStringConvertible {
    let description = "No key signs install verification tokens; name one with --token-key."
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
    fileprivate var refusal: DeviceRefusal? {
        switch self {
        case .granted, .later: nil
        case .missing: .noBearer
        case .refused: .bearerRefused
        case .unavailable: .nobodyToAsk
        }
    }

    fileprivate var isLater: Bool {
        if case .later = self { true } else { false }
    }

    fileprivate var account: String? {
        if case .granted(let account) = self { account } else { nil }
    }
}
