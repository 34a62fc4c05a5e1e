package import PlimsollDomain

/// How tokens of devices are judged.
package enum TokenCheck: Sendable {
    /// Nobody knows of tokens: where one is needed, none is good enough.
    case none
    /// They are signed, by keys of a set that is known.
    case keySet(KeySetCheck)
    /// Somebody else is asked of each.
    case introspection(Introspection)

    /// Whose tokens are judged, where they have to be of one.
    fileprivate var issuer: String? {
        switch self {
        case .none: nil
        case .keySet(let check): check.issuer
        case .introspection(let introspection): introspection.issuer
        }
    }
}

/// Who may ask, as the marketplace itself says: everybody, or those with a token.
package struct MarketplaceAuthorizer: DeviceAuthorizer {
    private let check: TokenCheck

    package init(_ check: TokenCheck) {
        self.check = check
    }

    /// What everybody may ask waits for nobody: a token is looked at then only where it is known
    /// already whose it is.
    package func decide(
        bearer: String?,
        asking marketplace: Marketplace,
        at now: Instant
    ) -> DeviceAuthorization {
        let token = bearer.flatMap { $0.isEmpty ? nil : $0 }
        let judges = judgesTokens(of: marketplace)
        switch marketplace.audience {
        case .everybody:
            guard let token, judges, BearerToken.isWellFormed(token),
                case .granted(let account)? = known(token, at: now)
            else { return .granted(account: nil) }
            return .granted(account: account)
        case .bearers:
            guard let token else { return .missing }
            guard judges, BearerToken.isWellFormed(token) else { return .refused }
            return known(token, at: now).map(DeviceAuthorization.init) ?? later(token, at: now)
        }
    }

    /// Whoever may ask one marketplace may not ask another that has its tokens from somebody else.
    private func judgesTokens(of marketplace: Marketplace) -> Bool {
        guard let named = marketplace.authorization?.issuer, let issuer = check.issuer else {
            return true
        }
        return named.text == issuer
    }

    private func known(_ token: String, at now: Instant) -> Verdict? {
        switch check {
        case .none: .refused
        case .keySet(let check): check.known(token, at: now)
        case .introspection(let introspection): introspection.known(token, at: now)
        }
    }

    private func later(_ token: String, at now: Instant) -> DeviceAuthorization {
        .later { [check] in
            switch check {
            case .none: .refused
            case .keySet(let check): DeviceAuthorization(await check.verdict(on: token, at: now))
            case .introspection(let introspection):
                DeviceAuthorization(await introspection.verdict(on: token, at: now))
            }
        }
    }
}

/// What is found of a token.
enum Verdict: Equatable, Sendable {
    case granted(account: String?)
    case refused
    case unavailable
}

extension DeviceAuthorization {
    init(_ verdict: Verdict) {
        switch verdict {
        case .granted(let account): self = .granted(account: account)
        case .refused: self = .refused
        case .unavailable: self = .unavailable
        }
    }
}

/// What may stand behind `Bearer` (RFC 6750, 2.1), and not more of it than anybody needs.
enum BearerToken {
    private static let bytesMaximum = 8192

    static func isWellFormed(_ text: String) -> Bool {
        guard text.utf8.count <= bytesMaximum else { return false }
        let body = text.utf8.reversed().drop { $0 == UInt8(ascii: "=") }
        return !body.isEmpty && body.allSatisfy(isAllowed)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E, 0x2B, 0x2F: true
        default: false
        }
    }
}
