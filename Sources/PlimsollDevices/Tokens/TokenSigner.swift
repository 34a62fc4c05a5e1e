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

    /// A token for what is offered, issued by the marketplace and signed with its key.
    package func token(
        for offer: DeviceAnswer.Offered,
        marketplace: Marketplace,
        downloadType: DownloadType,
        now: Instant
    ) throws(TokenFailure) -> String {
        let issuer = marketplace.item
        guard let key = keyring.key(for: issuer, at: now) else { throw .noKey(issuer) }
        let issued = now.secondsSince1970
        // Members in the order of their names, as canonical JSON has them.
        var claims = CanonicalWriter(capacity: 320)
        claims.literal(#"{"aud":"\#(Self.audience)","bid":"#)
        claims.string(offer.app.bundle.text)
        claims.literal(#","dtype":"\#(downloadType.rawValue)","exp":"#)
        claims.integer(issued + lifetime.seconds)
        claims.literal(#","iat":"#)
        claims.integer(issued)
        claims.literal(#","iid":"\#(offer.app.item.number)","iss":"\#(issuer.number)""#)
        claims.literal(#","nonce":"\#(UUID().text.uppercased())""#)
        claims.literal(#","vid":"\#(offer.package.version.number)"}"#)
        return try key.token(claims.bytes)
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
}

extension TokenFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noKey(let item): "no key signs tokens of the marketplace \(item) at present"
        case .notSigned(let key): "no token could be signed with the key \(key)"
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
