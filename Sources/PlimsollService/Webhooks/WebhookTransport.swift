package import PlimsollAPI
package import PlimsollDomain
import PlimsollPostgres

/// Sends a message once, to an address that was looked at first.
///
/// The host is resolved here, every address that comes of it has to be admitted, and the connection
/// goes to one of these and nowhere else: a name that leads somewhere else a moment later leads
/// nobody astray. Redirects are answers like any other. Nothing of an answer's body is read, so
/// nothing of it can be told.
package struct WebhookTransport: Sendable {
    private let admission: Admission
    private let limits: SendingLimits
    private let authorities: CertificateAuthorities?
    private let resolve: @Sendable (String, ContinuousClock.Instant) async -> [String]?

    /// Authorities vouch for receivers; `resolve` answers the addresses of a host, as text, or `nil`
    /// where it takes too long.
    package init(
        _ admission: Admission,
        limits: SendingLimits = SendingLimits(),
        trusting authorities: CertificateAuthorities? = nil,
        resolve: @escaping @Sendable (String, ContinuousClock.Instant) async -> [String]? = {
            await HostResolution.addresses(of: $0, until: $1)
        }
    ) {
        self.admission = admission
        self.limits = limits
        self.authorities = authorities
        self.resolve = resolve
    }

    /// Sends it; `attempt` chooses the address of the host that is tried first.
    ///
    /// Where no connection could be made nothing was sent, so the next address is tried at once.
    package func send(
        _ message: WebhookMessage,
        headers: [(name: String, value: String)],
        to url: WebhookURL,
        attempt: Int
    ) async throws(CancellationError) -> SendingOutcome {
        let outcome = await answer(to: message, headers, url, attempt)
        if Task.isCancelled { throw CancellationError() }
        return outcome
    }

    private func answer(
        to message: WebhookMessage,
        _ headers: [(name: String, value: String)],
        _ url: WebhookURL,
        _ attempt: Int
    ) async -> SendingOutcome {
        if let objection = admission.objection(to: url) { return .failed(objection) }
        let addresses: [IPAddress]
        switch await admitted(url) {
        case .success(let found): addresses = found
        case .failure(let refusal): return .failed(refusal.sentence, because: refusal.innerCause)
        }
        let request = WebRequest(.post, url.text, headers: headers, body: message.body)
        let first = attempt % addresses.count
        let order = (addresses[first...] + addresses[..<first]).prefix(limits.addressesMaximum)
        var outcome = SendingOutcome.failed("the connection broke")
        for address in order {
            do {
                return try await Transport.with(
                    limits.transport,
                    pinning: url.address == nil ? [url.host: address.text] : [:],
                    trusting: authorities
                ) { transport in
                    SendingOutcome(try await transport.head(of: request))
                }
            } catch let error as AdminError {
                outcome = .failed(error.kind.sentence)
                guard error.kind.isBeforeTheConnection, !Task.isCancelled else { break }
            } catch {
                break
            }
        }
        return outcome
    }

    /// Where the host is, if all of it may be sent to; never empty.
    private func admitted(_ url: WebhookURL) async -> Result<[IPAddress], PlaceRefused> {
        if let address = url.address { return .success([address]) }
        let deadline = ContinuousClock.now + limits.resolution
        guard let texts = await resolve(url.host, deadline) else {
            return .failure(PlaceRefused("nobody said in time where \(url.host) is"))
        }
        guard !texts.isEmpty else {
            return .failure(PlaceRefused("the name \(url.host) is unknown"))
        }
        var addresses: [IPAddress] = []
        for text in texts {
            // What has a zone is of a link, and no other address is written like that.
            guard let address = IPAddress(text) else {
                return .failure(PlaceRefused(url.host, at: text, "a link-local address"))
            }
            if let objection = admission.objection(to: address) {
                return .failure(PlaceRefused(url.host, at: text, objection))
            }
            addresses.append(address)
        }
        return .success(addresses)
    }
}

private struct PlaceRefused: Error {
    let sentence: String
    /// The address, which would tell whoever registers webhooks how a network is laid out.
    let innerCause: String?

    init(_ sentence: String) {
        self.sentence = sentence
        innerCause = nil
    }

    init(_ host: String, at address: String, _ reservation: String) {
        sentence = "\(host) is at \(reservation)"
        innerCause = "\(host) is at \(address), \(reservation)"
    }
}

/// How long a receiver may take.
package struct SendingLimits: Sendable {
    package var resolution = Duration.seconds(5)
    package var connection = Duration.seconds(5)
    /// From the beginning of the connection to the head of the answer, however it drips.
    package var answer = Duration.seconds(15)
    /// So many addresses of a host are tried in one attempt, where no connection can be made.
    package var addressesMaximum = 3

    package init() {}

    fileprivate var transport: Transport.Limits {
        Transport.Limits(connectTimeout: connection, answerTimeout: answer, bytesMaximum: 0)
    }
}

extension AdminError.Kind {
    /// Whether nothing can have been sent.
    fileprivate var isBeforeTheConnection: Bool {
        if case .unreachable = self { true } else { false }
    }

    /// Why a message was not delivered, without an address, which is told beside it.
    fileprivate var sentence: String {
        switch self {
        case .unreachable(let cause), .interrupted(let cause): cause
        case .timedOut(let limit): "no answer came within \(limit)"
        case .answerTooLarge, .notUnderstood, .refused: "the answer was not understood"
        case .cancelled: "it was given up"
        }
    }
}
