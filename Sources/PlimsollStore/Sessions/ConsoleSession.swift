import Crypto
import Foundation
package import PlimsollDomain
import PlimsollPostgres
import PlimsollSystem

/// Somebody's browser that is signed in to the console.
package struct ConsoleSession: Equatable, Sendable {
    package let id: SessionID
    package let principal: PrincipalID
    /// What was signed in with; the session ends with it.
    package let token: TokenID
    package let openedAt: Instant
    package let usedAt: Instant
    /// When the token was shown last.
    package let provenAt: Instant
    /// What the browser calls itself.
    package let agent: String
}

/// How long a session lasts, by the clock of the database.
package struct SessionLimits: Sendable {
    /// Since it was used last.
    package var idle: Duration = .seconds(3600)
    /// Since it was opened.
    package var whole: Duration = .seconds(12 * 3600)
    /// For what is sensitive: since the token was shown last.
    package var proof: Duration = .seconds(15 * 60)

    package init() {}
}

/// What a browser keeps of its session: which one it is, and 256 random bits that prove it.
///
/// The bits are nowhere else. In the database is what an entry key makes of them, so that who can write to
/// the database, and has no such key, opens no session.
package struct SessionCookie: Secret {
    package let id: SessionID
    let secret: [UInt8]

    private static let secretByteCount = 32

    /// A new one, from the system's cryptographic generator.
    static func random() -> SessionCookie {
        var generator = SystemRandomNumberGenerator()
        let secret = (0..<secretByteCount).map { _ in
            UInt8.random(in: .min ... .max, using: &generator)
        }
        return SessionCookie(id: SessionID(UUID()), secret: secret)
    }

    private init(id: SessionID, secret: [UInt8]) {
        (self.id, self.secret) = (id, secret)
    }

    /// As browsers send it: the id, a point, and the bits in hexadecimal.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let id = SessionID(String(parts[0])),
            let secret = bytes(hexadecimal: parts[1]), secret.count == Self.secretByteCount
        else { return nil }
        self.init(id: id, secret: secret)
    }

    package var text: String { "\(id).\(hexadecimal(secret))" }

    /// What a form of the session has to say, which no other page can know.
    package var formKey: String {
        let code = HMAC<SHA256>.authenticationCode(
            for: Array("plimsoll-form/v1".utf8),
            using: SymmetricKey(data: secret)
        )
        return hexadecimal(Array(code))
    }

    /// What the authenticator of the session is made over.
    func authenticated(
        _ token: TokenID,
        _ principal: PrincipalID,
        _ times: SessionTimes
    ) -> [UInt8] {
        let text = """
            plimsoll-session/v1
            \(self.text)
            \(token)
            \(principal.text)
            \(times.openedAt.microsecondsSince1970)
            \(times.usedAt.microsecondsSince1970)
            \(times.provenAt.microsecondsSince1970)
            """
        return Array(text.utf8)
    }
}

/// When a session was opened, used and proven, as the database keeps it.
struct SessionTimes {
    let openedAt: Timestamp
    let usedAt: Timestamp
    let provenAt: Timestamp
}
