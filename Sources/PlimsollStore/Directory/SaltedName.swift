import Crypto
package import PlimsollDomain

/// What somebody is called, with the salt that the log's commitment to it was made with.
package struct SaltedName: Equatable, Sendable {
    package let name: String
    /// `nil` where the name was written down before names were committed to.
    package let salt: [UInt8]?

    package static let saltSize = 32

    package init(_ name: String, salt: [UInt8]?) {
        (self.name, self.salt) = (name, salt)
    }

    /// With a new salt from the system's cryptographic generator, so that nobody can find the name by
    /// trying names.
    package static func made(of name: String) -> SaltedName {
        var generator = SystemRandomNumberGenerator()
        let salt = (0..<saltSize).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        return SaltedName(name, salt: salt)
    }

    /// What the log says of it; `nil` without a salt.
    ///
    /// The salt has one size and the name comes last, so no two names are written alike.
    package var commitment: NameCommitment? {
        guard let salt, salt.count == Self.saltSize else { return nil }
        let bytes = Array("plimsoll-name 1\n".utf8) + salt + Array(name.utf8)
        return NameCommitment(hex: hexadecimal(SHA256.hash(data: bytes)))
    }
}

extension NameFindings {
    /// Takes all names that are known.
    package init(_ names: [PrincipalID: SaltedName], in access: Access) {
        self.init(names.mapValues(\.commitment), in: access)
    }
}

extension Access {
    /// The names that may be shown: those of people whom the log knows, that it committed to, and that
    /// were not erased; also any that people have who came before it committed to names.
    package func believing(_ names: [PrincipalID: SaltedName]) -> [PrincipalID: String] {
        names.filter { id, name in
            guard !erased.contains(id), let principal = principal(id) else { return false }
            return principal.isBeforeNames
                || principal.name != nil && principal.name == name.commitment
        }.mapValues(\.name)
    }
}
