import Foundation
package import PlimsollDomain
import PlimsollJSON
package import PlimsollMarketplace

/// Makes install verification tokens: what a device wants to see before it installs something.
///
/// One is made for each app of each answer, with a nonce of its own, and none is kept.
package struct TokenSigner: InstallTokenSigner {
    private let keyring: TokenKeyring
    private let lifetime: TokenLifetime

    private static let audience = "AppleDownloadVerification-v1"

    package init(_ keyring: TokenKeyring, lifetime: TokenLifetime = .standard) {
        self.keyring = keyring
        self.lifetime = lifetime
    }

    package func asksOthers(for marketplace: AppleItemID, at now: Instant) -> Bool {
        keyring.key(for: marketplace, at: now).map { !$0.isHeld } ?? false
    }

    package func tokensAtOnce(_ order: TokenOrder) throws(TokenFailure) -> [String]? {
        guard !order.parts.isEmpty else { return [] }
        let key = try key(for: order.marketplace, at: order.now)
        guard key.isHeld else { return nil }
        var tokens: [String] = []
        for part in order.parts { tokens.append(try key.token(claims(of: part, in: order))) }
        return tokens
    }

    package func tokens(_ order: TokenOrder) async throws(TokenFailure) -> [String] {
        let key = try key(for: order.marketplace, at: order.now)
        return try await key.tokens(order.parts.map { claims(of: $0, in: order) }, at: order.now)
    }

    /// A token for what is offered, issued by the marketplace and signed with its key, which is held
    /// here.
    package func token(
        for offer: DeviceAnswer.Offered,
        marketplace: Marketplace,
        downloadType: DownloadType,
        now: Instant
    ) throws(TokenFailure) -> String {
        let part = TokenOrder.Part(offer, downloadType)
        let order = TokenOrder([part], marketplace: marketplace, now: now)
        return try key(for: marketplace, at: now).token(claims(of: part, in: order))
    }

    private func key(
        for marketplace: Marketplace,
        at now: Instant
    ) throws(TokenFailure) -> TokenKey {
        guard let key = keyring.key(for: marketplace.item, at: now) else {
            throw .noKey(marketplace.item)
        }
        return key
    }

    private func claims(of part: TokenOrder.Part, in order: TokenOrder) -> [UInt8] {
        let issued = order.now.secondsSince1970
        let app = part.offer.app
        // Members in the order of their names, as canonical JSON has them.
        var claims = CanonicalWriter(capacity: 320)
        claims.literal(#"{"aud":"\#(Self.audience)","bid":"#)
        claims.string(app.bundle.text)
        claims.literal(#","dtype":"\#(part.downloadType.rawValue)","exp":"#)
        claims.integer(issued + lifetime.seconds)
        claims.literal(#","iat":"#)
        claims.integer(issued)
        claims.literal(#","iid":"\#(app.item.number)","iss":"\#(order.marketplace.item.number)""#)
        claims.literal(#","nonce":"\#(UUID().text.uppercased())""#)
        claims.literal(#","vid":"\#(part.offer.package.version.number)"}"#)
        return claims.bytes
    }
}

/// For how long a device may use an install verification token.
package struct TokenLifetime: Equatable, Sendable {
    package let seconds: Int64

    private static let range: ClosedRange<Int64> = 60...3600
    package static let grammar = "from \(range.lowerBound) to \(range.upperBound) seconds"
    /// As long as that of Apple's example.
    package static let standard = TokenLifetime(unchecked: 1200)

    private init(unchecked seconds: Int64) {
        self.seconds = seconds
    }

    package init?(seconds: Int64) {
        guard Self.range.contains(seconds) else { return nil }
        self.seconds = seconds
    }
}

/// Why there is no token.
package enum TokenFailure: Error, Equatable, Sendable {
    /// None of the keys signs for the marketplace at this time.
    case noKey(AppleItemID)
    /// The library that signs did not.
    case notSigned(TokenKeyID)
    /// It is in a key service, which takes longer than there is time.
    case asksOthers(TokenKeyID)
    /// The key service has not signed; the reason is a phrase that stays the same.
    case keeperFailed(KeyServiceName, String)
}

extension TokenFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noKey(let item): "no key signs tokens of the marketplace \(item) at present"
        case .notSigned(let key): "no token could be signed with the key \(key)"
        case .asksOthers(let key): "the key \(key) is in a key service, and signs nothing at once"
        case .keeperFailed(let name, let reason): "the key service of \(name): \(reason)"
        }
    }
}

extension Instant {
    /// Whole ones, as tokens count them.
    var secondsSince1970: Int64 {
        let (seconds, rest) = millisecondsSince1970.quotientAndRemainder(dividingBy: 1000)
        return rest < 0 ? seconds - 1 : seconds
    }
}
