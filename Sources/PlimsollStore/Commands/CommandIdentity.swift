import Crypto
package import Foundation
package import PlimsollDomain

/// What makes a command the same one when it comes a second time.
package struct CommandIdentity: Equatable, Sendable {
    package let id: CommandID
    /// SHA-256 of what was asked; the same id with another digest is a mistake of the caller.
    package let requestDigest: [UInt8]
    /// What programs of before recorded in its place.
    package let formerDigest: [UInt8]?

    package init(id: CommandID, requestDigest: [UInt8], formerDigest: [UInt8]? = nil) {
        self.id = id
        self.requestDigest = requestDigest
        self.formerDigest = formerDigest
    }

    /// Whether the command that was recorded with a digest asked for the same.
    func isRequest(_ digest: [UInt8]) -> Bool {
        digest == requestDigest || digest == formerDigest
    }

    /// A command that nobody will name again.
    package static func once(_ request: [UInt8] = []) -> CommandIdentity {
        CommandIdentity(id: CommandID(.random()), requestDigest: Array(SHA256.hash(data: request)))
    }

    /// The command that a principal names by an idempotency key, the same wherever it arrives.
    ///
    /// The former body is what programs of before took the digest of.
    package static func keyed(
        _ key: String,
        by principal: PrincipalID,
        method: String,
        path: String,
        body: [UInt8],
        formerBody: [UInt8]? = nil
    ) -> CommandIdentity {
        let name = [principal.text, method, path, key].joined(separator: "\u{0}")
        return CommandIdentity(
            id: CommandID(UUID(version5: Array(name.utf8), in: namespace)),
            requestDigest: Array(SHA256.hash(data: body)),
            formerDigest: formerBody.map { Array(SHA256.hash(data: $0)) }
        )
    }

    /// The command that publishing a snapshot is, whoever does it and however often.
    package static func named(_ name: String) -> CommandIdentity {
        CommandIdentity(
            id: CommandID(UUID(version5: Array(name.utf8), in: namespace)),
            requestDigest: Array(SHA256.hash(data: Array(name.utf8)))
        )
    }

    /// Who is let in by the command if that is somebody new, the same when it comes a second time.
    ///
    /// Of what was asked for nothing is in it: nobody finds a name by trying names.
    package var newcomer: PrincipalID {
        PrincipalID(UUID(version5: Array(id.uuid.text.utf8), in: Self.namespace))
    }

    /// Made once, at random, for this purpose alone.
    private static let namespace: [UInt8] = [
        0x8e, 0x1d, 0x52, 0xf4, 0x0b, 0x9c, 0x4a, 0x61, 0x9d, 0x27, 0x63, 0xc0, 0x5a, 0xe8, 0x14,
        0x7b,
    ]
}

extension UUID {
    /// A UUID of version 4 (RFC 9562, 5.4).
    ///
    /// Foundation on Linux opens a file for each.
    package static func random() -> UUID {
        UUID(
            high: .random(in: .min ... .max) & ~0xF000 | 0x4000,
            low: .random(in: .min ... .max) & ~(0b11 << 62) | 0b10 << 62
        )
    }

    /// A UUID of version 5 (RFC 9562, 5.5): a namespace and a name, hashed.
    package init(version5 name: [UInt8], in namespace: [UInt8]) {
        var hash = Array(Insecure.SHA1.hash(data: namespace + name).prefix(16))
        hash[6] = hash[6] & 0x0F | 0x50
        hash[8] = hash[8] & 0x3F | 0x80
        self.init(
            uuid: (
                hash[0], hash[1], hash[2], hash[3], hash[4], hash[5], hash[6], hash[7],
                hash[8], hash[9], hash[10], hash[11], hash[12], hash[13], hash[14], hash[15]
            )
        )
    }
}
