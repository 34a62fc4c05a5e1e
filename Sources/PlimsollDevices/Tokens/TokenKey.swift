import Crypto
import Foundation
import PlimsollDocuments
package import PlimsollDomain
import PlimsollJSON
package import PlimsollSystem

/// A key that tokens are signed with, from a time on.
struct TokenKey: Sendable {
    let place: TokenKeyPlace
    private let half: PrivateHalf
    private let head: [UInt8]

    enum PrivateHalf: Sendable {
        case held(P256.Signing.PrivateKey)
        /// Somebody else signs.
        case kept(KeptTokenKey)
    }

    init(_ place: TokenKeyPlace, _ half: PrivateHalf) {
        self.place = place
        self.half = half
        let header: JSONObject = ["alg": "ES256", "kid": .string(place.id.text), "typ": "JWT"]
        head = CompactToken.head(header.canonicalBytes())
    }

    var isHeld: Bool {
        if case .held = half { true } else { false }
    }

    /// A token at once, of a key that is held here.
    func token(_ claims: [UInt8]) throws(TokenFailure) -> [UInt8] {
        guard case .held(let key) = half else { throw .asksOthers(place.id) }
        do {
            return try CompactToken.signed(head, claims, with: key)
        } catch {
            throw .notSigned(place.id)
        }
    }

    /// A token of each, in their order, whoever signs.
    func tokens(_ claims: [[UInt8]], at now: Instant) async throws(TokenFailure) -> [[UInt8]] {
        switch half {
        case .held:
            var tokens: [[UInt8]] = []
            for claims in claims { tokens.append(try token(claims)) }
            return tokens
        case .kept(let key):
            let unsigned = claims.map { CompactToken.unsigned(head, $0) }
            let digests = unsigned.map { SHA256.hash(data: $0) }
            let signatures = try await key.signatures(over: digests, at: now)
            return zip(unsigned, signatures).map { CompactToken.closed($0, with: $1) }
        }
    }

    /// Whether it can sign, as far as that is known without it.
    func prove() async throws(TokenKeyError) -> Bool {
        guard case .kept(let key) = half else { return true }
        return try await key.prove()
    }
}

/// What App Store Connect calls a key: a UUID, in whichever letters it is written there.
package struct TokenKeyID: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    package init?(_ text: String) {
        guard text.utf8.count == 36, UUID(uuidString: text) != nil else { return nil }
        self.text = text
    }

    package var description: String { text }
}

/// Where a key for tokens is, what it is called in App Store Connect, and from when it signs.
///
/// `[marketplace/]id[@time]=place`: `6497405838/2b5f…@2026-12-01T00:00:00Z=/etc/plimsoll/token.pem`,
/// `2b5f…=env:PLIMSOLL_TOKEN_KEY`, `2b5f…=arn:aws:kms:…:key/…`. Without a marketplace it signs for all that have no key of their
/// own, without a time it has always signed.
package struct TokenKeyPlace: Hashable, Sendable {
    package let marketplace: AppleItemID?
    package let id: TokenKeyID
    package let start: Instant
    package let keeper: Keeper

    /// What has the private half.
    package enum Keeper: Hashable, Sendable {
        case file(Path)
        case environment(String)
        /// A key service, which signs and never gives the key away.
        case service(KeyServiceName)
    }

    package static let grammar =
        "the id of the key in App Store Connect, an equals sign and the absolute path of a PEM file,"
        + " env: with the name of a variable, or the ARN of a KMS key; before the id may stand the AppleItemID of a"
        + " marketplace and a slash, after it an @ and the time from when it signs, such as"
        + " 2026-12-01T00:00:00Z"

    package init?(_ text: String) {
        let sides = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard sides.count == 2, let keeper = Keeper(sides[1]) else { return nil }
        let name = sides[0].split(separator: "@", omittingEmptySubsequences: false).map(String.init)
        let ids = name[0].split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard let id = ids.last.flatMap({ TokenKeyID($0) }) else { return nil }
        switch ids.count {
        case 1: marketplace = nil
        case 2:
            guard let item = AppleItemID(ids[0]) else { return nil }
            marketplace = item
        default: return nil
        }
        switch name.count {
        case 1: start = Instant(millisecondsSince1970: 0)
        case 2:
            guard let time = Instant(rfc3339: name[1]) else { return nil }
            start = time
        default: return nil
        }
        self.id = id
        self.keeper = keeper
    }
}

extension TokenKeyPlace.Keeper {
    private static let prefix = "env:"

    /// Reads the absolute path of a file, `env:` and the name of a variable, or the ARN of a key.
    package init?(_ text: String) {
        if text.hasPrefix(Self.prefix) {
            let name = String(text.dropFirst(Self.prefix.count))
            guard name.wholeMatch(of: /[A-Z][A-Z0-9_]{0,99}/) != nil else { return nil }
            self = .environment(name)
        } else if text.hasPrefix("arn:") {
            guard let name = KeyServiceName(text) else { return nil }
            self = .service(name)
        } else if text.hasPrefix("/") {
            self = .file(Path(text))
        } else {
            return nil
        }
    }
}

extension TokenKeyPlace.Keeper: CustomStringConvertible {
    package var description: String {
        switch self {
        case .file(let path): "the file \(path)"
        case .environment(let name): "the variable \(name)"
        case .service(let name): "the key service, as \(name)"
        }
    }
}

/// Why a private key cannot sign tokens.
package enum TokenKeyError: Error, Equatable, Sendable {
    case unreadable(TokenKeyPlace.Keeper, reason: String)
    case otherCurve(TokenKeyPlace.Keeper, String)
    case malformed(TokenKeyPlace.Keeper)
    /// Two keys for the same marketplaces have the same id, or sign from the same time.
    case ambiguous(TokenKeyID)
    case noneYet
}

extension TokenKeyError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreadable(let keeper, let reason):
            "The key in \(keeper) cannot be read: \(reason)."
        case .otherCurve(let keeper, let curve):
            "The key in \(keeper) is on the curve \(curve); tokens are signed on P-256."
        case .malformed(let keeper):
            "There is no private key on P-256 in \(keeper); it needs to be PEM, without a passphrase."
        case .ambiguous(let id):
            "Another key has the id of \(id), or signs from the same time; it has to be clear which"
                + " one signs."
        case .noneYet: "None of the keys for tokens signs yet; one of them has to."
        }
    }
}

extension TokenKeyPlace.Keeper {
    /// A P-256 key takes about 240 bytes.
    private static let sizeMaximum = 4096

    /// The text that the key is in; a key service gives none.
    func read(_ environment: (String) -> String?) throws(TokenKeyError) -> String {
        switch self {
        case .service: throw .unreadable(self, reason: "it never leaves its key service")
        case .environment(let name):
            guard let text = environment(name) else {
                throw .unreadable(self, reason: "it is not set")
            }
            return text
        case .file(let path):
            do throws(FileError) {
                let bytes = try path.readSecret(sizeMaximum: Self.sizeMaximum)
                return String(decoding: bytes, as: UTF8.self)
            } catch {
                throw .unreadable(self, reason: "\(error)")
            }
        }
    }

    /// The key in the text; what is wrong with it is told without a word of it.
    func key(in text: String) throws(TokenKeyError) -> P256.Signing.PrivateKey {
        if let key = P256.Signing.PrivateKey(pem: text), Self.namesCurve(text) { return key }
        if (try? P384.Signing.PrivateKey(pemRepresentation: text)) != nil {
            throw .otherCurve(self, "P-384")
        }
        if (try? P521.Signing.PrivateKey(pemRepresentation: text)) != nil {
            throw .otherCurve(self, "P-521")
        }
        throw .malformed(self)
    }

    /// DER of 1.2.840.10045.3.1.7.
    private static let curve: [UInt8] = [6, 8, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 3, 1, 7]

    /// Whether the PEM says that the curve is P-256.
    ///
    /// swift-crypto 4.5.2 does not ask: it takes the number of a key on secp256k1 for one on P-256,
    /// and what that signs nobody would believe.
    private static func namesCurve(_ text: String) -> Bool {
        text.components(separatedBy: "-----").contains { block in
            Data(base64Encoded: block, options: .ignoreUnknownCharacters)
                .map { Array($0).contains(curve) } ?? false
        }
    }
}
