import Crypto
import Foundation
import PlimsollDocuments
package import PlimsollDomain
import PlimsollJSON
package import PlimsollPublishing

/// What a marketplace hands to a developer, who shows it to App Store Connect.
///
/// It is signed with the same key as install verification tokens, and is no such token: its audience
/// is another and it does not name its key. Nothing here makes one of the other.
package struct DeveloperToken: Sendable {
    private let marketplace: AppleItemID
    private let developer: DeveloperID
    private let expiry: Int64
    private let issued: Int64

    private static let audience = "appstoreconnect-v1"
    private static let head = CompactToken.head(Array(#"{"alg":"ES256","typ":"JWT"}"#.utf8))
    /// It has to end within less than a week.
    package static let daysMaximum = 6

    package init(
        _ marketplace: AppleItemID,
        for developer: DeveloperID,
        days: Int,
        now: Instant
    ) {
        precondition((1...Self.daysMaximum).contains(days), "a developer's token ends in a week")
        self.marketplace = marketplace
        self.developer = developer
        issued = now.secondsSince1970
        expiry = issued + Int64(days) * 86_400
    }

    /// When it ends.
    package var end: Instant { Instant(millisecondsSince1970: expiry * 1000) }

    /// Signs it with a key in PEM, or has its key service sign it.
    package func signed(
        with keeper: TokenKeyPlace.Keeper,
        asking service: KeyManagementService
    ) async throws -> String {
        let token: [UInt8]
        if case .service(let name) = keeper {
            token = try await signed(with: name, by: service)
        } else {
            let environment = ProcessInfo.processInfo.environment
            let key = try keeper.key(in: try keeper.read { environment[$0] })
            token = try CompactToken.signed(Self.head, claims, with: key)
        }
        return String(decoding: token, as: UTF8.self)
    }

    private func signed(
        with name: KeyServiceName,
        by service: KeyManagementService
    ) async throws -> [UInt8] {
        let bytes = CompactToken.unsigned(Self.head, claims)
        let digest = SHA256.hash(data: bytes)
        let signature: P256.Signing.ECDSASignature
        do {
            let answers = try await service.sign([Array(digest)], with: name)
            signature = try P256.Signing.ECDSASignature(derRepresentation: answers.first ?? [])
        } catch let failure as AmazonFailure {
            throw TokenFailure.keeperFailed(name, failure.description)
        } catch {
            throw TokenFailure.keeperFailed(name, "what it answered makes no sense")
        }
        return CompactToken.closed(bytes, with: signature)
    }

    private var claims: [UInt8] {
        let claims: JSONObject = [
            "aud": .string(Self.audience), "exp": .integer(expiry), "iat": .integer(issued),
            "iss": .string(marketplace.text), "pid": .string(developer.text),
        ]
        return claims.canonicalBytes()
    }
}

/// What Apple calls a developer: the Developer ID that App Store Connect shows.
package struct DeveloperID: Equatable, Sendable {
    package let text: String

    package static let grammar = "1 to 100 letters, digits and hyphens"

    package init?(_ text: String) {
        guard text.wholeMatch(of: /[A-Za-z0-9-]{1,100}/) != nil else { return nil }
        self.text = text
    }
}
