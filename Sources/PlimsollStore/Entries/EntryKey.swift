import Crypto
import Foundation
package import PlimsollDomain
import PlimsollSystem

/// A secret that the service authenticates the entries of its log with: 256 bits.
///
/// The authenticator of an entry is the HMAC-SHA256 (RFC 2104) of its bytes without the member that
/// holds it. Who has the database, and not the secret, can write nothing that counts.
package struct EntryKey: Equatable, Secret {
    package static let byteCount = 32

    package let id: EntryKeyID
    /// What the file of the key holds.
    let secret: [UInt8]
    /// What the secret makes of nothing yet: an entry is a few bytes, and taking in the secret is as
    /// dear.
    private let hmac: HMAC<SHA256>
    /// The member of an entry up to the code.
    private let memberStart: [UInt8]

    /// Takes the secret; another number of bytes is none.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        let digest = SHA256.hash(data: Self.namePrefix + bytes)
        guard let id = EntryKeyID(String(hexadecimal(digest).prefix(EntryKeyID.length))) else {
            return nil
        }
        self.id = id
        secret = bytes
        hmac = HMAC(key: SymmetricKey(data: bytes))
        memberStart = Array(#","authenticator":"\#(id)/"#.utf8)
    }

    package static func == (one: EntryKey, other: EntryKey) -> Bool {
        one.id == other.id && one.secret == other.secret
    }

    static func random() -> EntryKey {
        var generator = SystemRandomNumberGenerator()
        let secret = (0..<byteCount).map { _ in
            UInt8.random(in: .min ... .max, using: &generator)
        }
        guard let key = EntryKey(secret) else { preconditionFailure("so many bytes are a key") }
        return key
    }

    private static let namePrefix = Array("plimsoll-entry-key/v1\n".utf8)
    private static let separator = UInt8(ascii: "/")
    private static let quote = UInt8(ascii: "\"")

    /// The member that says what an entry is authenticated with, with the comma before it.
    func member(of entry: [UInt8]) -> [UInt8] {
        memberStart + Data(code(of: entry)).base64EncodedString().utf8 + [Self.quote]
    }

    /// The HMAC-SHA256 of an entry, or of something that does not begin as entries do.
    func code(of bytes: [UInt8]) -> [UInt8] {
        var hmac = hmac
        hmac.update(data: bytes)
        return Array(hmac.finalize())
    }

    /// Whether the entry says what this key makes of the rest of it.
    func isAuthentic(_ entry: Span<UInt8>, _ place: AuthenticatorPlace) -> Bool {
        var rest: [UInt8] = []
        rest.reserveCapacity(entry.count - place.member.count)
        rest.append(copying: entry.extracting(..<place.member.lowerBound))
        rest.append(copying: entry.extracting(place.member.upperBound...))
        let expected = member(of: rest)
        guard expected.count == place.member.count else { return false }
        // Every byte is looked at, so that the time says nothing of where they differ.
        return expected.indices.reduce(0) { difference, index in
            difference | (expected[index] ^ entry[place.member.lowerBound + index])
        } == 0
    }

    /// Which key an entry names; `nil` where it names none in the form that keys have.
    static func id(in entry: Span<UInt8>, _ place: AuthenticatorPlace) -> EntryKeyID? {
        guard place.text.count > EntryKeyID.length,
            entry[place.text.lowerBound + EntryKeyID.length] == separator
        else { return nil }
        let end = place.text.lowerBound + EntryKeyID.length
        let text = [UInt8](copying: entry.extracting(place.text.lowerBound..<end))
        return EntryKeyID(String(decoding: text, as: UTF8.self))
    }
}
