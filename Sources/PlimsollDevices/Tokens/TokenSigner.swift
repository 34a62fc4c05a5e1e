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

    package init(_ keyring: TokenKeyring, lifetime: TokenLifetime = .standard) {
        self.keyring = keyring
        self.lifetime = lifetime
    }

    package func asksOthers(for marketplace: AppleItemID, at now: Instant) -> Bool {
        keyring.key(for: marketplace, at: now).map { !$0.isHeld } ?? false
    }

    package func tokensAtOnce(_ order: TokenOrder) throws(TokenFailure) -> [[UInt8]]? {
        guard !order.parts.isEmpty else { return [] }
        let key = try key(for: order.marketplace, at: order.now)
        guard key.isHeld else { return nil }
        var claims = claims(in: order)
        var tokens: [[UInt8]] = []
        tokens.reserveCapacity(order.parts.count)
        for part in order.parts { tokens.append(try key.token(claims.bytes(of: part))) }
        return tokens
    }

    package func tokens(_ order: TokenOrder) async throws(TokenFailure) -> [[UInt8]] {
        let key = try key(for: order.marketplace, at: order.now)
        var claims = claims(in: order)
        return try await key.tokens(order.parts.map { claims.bytes(of: $0) }, at: order.now)
    }

    /// A token for what is offered, issued by the marketplace and signed with its key, which is held
    /// here.
    package func token(
        for offer: PackageOffer,
        marketplace: Marketplace,
        downloadType: DownloadType,
        now: Instant
    ) throws(TokenFailure) -> String {
        let part = TokenOrder.Part(offer, downloadType)
        let order = TokenOrder([part], marketplace: marketplace.item, now: now)
        var claims = claims(in: order)
        let token = try key(for: marketplace.item, at: now).token(claims.bytes(of: part))
        return String(decoding: token, as: UTF8.self)
    }

    private func key(
        for marketplace: AppleItemID,
        at now: Instant
    ) throws(TokenFailure) -> TokenKey {
        guard let key = keyring.key(for: marketplace, at: now) else { throw .noKey(marketplace) }
        return key
    }

    private func claims(in order: TokenOrder) -> TokenClaims {
        let issued = order.now.secondsSince1970
        return TokenClaims(order.marketplace, issued: issued, expiry: issued + lifetime.seconds)
    }
}

/// Writes what tokens of one answer say.
private struct TokenClaims {
    private let times: [UInt8]
    private let issuer: [UInt8]
    private var writer = CanonicalWriter(capacity: 384)
    private var generator = SystemRandomNumberGenerator()

    init(_ marketplace: AppleItemID, issued: Int64, expiry: Int64) {
        times = Array(#"","exp":\#(expiry),"iat":\#(issued),"iid":""#.utf8)
        issuer = Array(#"","iss":"\#(marketplace.number)","nonce":""#.utf8)
    }

    /// Members in the order of their names, as canonical JSON has them.
    mutating func bytes(of part: TokenOrder.Part) -> [UInt8] {
        writer.removeAll()
        writer.literal(#"{"aud":"AppleDownloadVerification-v1","bid":"#)
        writer.string(part.offer.bundle.text)
        writer.literal(#","dtype":""#)
        writer.literal(part.downloadType.rawValue)
        writer.literal(times)
        writer.literal(part.offer.item.text)
        writer.literal(issuer)
        writer.literal(Nonce(using: &generator).text)
        writer.literal(#"","vid":""#)
        writer.literal(part.offer.package.version.text)
        writer.literal(#""}"#)
        return writer.bytes
    }
}

/// A random UUID of version 4 (RFC 9562, 5.4), in capitals.
///
/// Foundation's opens a file for each.
private struct Nonce {
    private let high: UInt64
    private let low: UInt64

    init(using generator: inout SystemRandomNumberGenerator) {
        high = generator.next() & ~0xF000 | 0x4000
        low = generator.next() >> 2 | 1 << 63
    }

    var text: [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for place in 0..<32 {
            if place == 8 || place == 12 || place == 16 || place == 20 { text.append(0x2D) }
            let word = place < 16 ? high : low
            let digit = UInt8(truncatingIfNeeded: word >> UInt64(60 - 4 * (place & 15))) & 0xF
            text.append(digit < 10 ? 0x30 + digit : 0x37 + digit)
        }
        return text
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
