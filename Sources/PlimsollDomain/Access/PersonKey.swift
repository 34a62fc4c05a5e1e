import Foundation

/// The public half of a key with which a person signs what they approve, as OpenSSH writes it.
///
/// The service never has the other half, so what such a key has signed no service can have made up.
package struct PersonKey: Codable, TextName {
    /// The algorithm and the key in base64, without a comment.
    package let text: String

    package static let grammar = "an OpenSSH public key: ssh-ed25519 or ecdsa-sha2-nistp256"
    /// So many of one person may count at a time: one for each device, and the next ones.
    package static let countMaximum = 10

    /// Reads a line as `ssh-keygen` writes it into a `.pub` file; a comment is left out.
    package init?(_ line: String) {
        let parts = line.split(
            separator: " ",
            maxSplits: 2,
            omittingEmptySubsequences: false
        )
        guard parts.count >= 2, let form = Self.forms[String(parts[0])],
            parts[1].utf8.count == form.length, parts[1].hasPrefix(form.beginning),
            isBase64(parts[1])
        else { return nil }
        text = "\(parts[0]) \(parts[1])"
    }

    package var algorithm: Substring { text.prefix { $0 != " " } }

    /// The key as the SSH protocol encodes it, in base64.
    package var base64: Substring { text.dropFirst(algorithm.count + 1) }

    /// In base64 each algorithm's keys have one length, and begin alike: with the algorithm's name.
    private static let forms: [String: (beginning: String, length: Int)] = [
        "ssh-ed25519": ("AAAAC3NzaC1lZDI1NTE5AAAAI", 68),
        "ecdsa-sha2-nistp256": ("AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBB", 140),
    ]
}

/// What a person signed, and with which key.
package struct PersonSignature: Codable, Hashable, Sendable {
    package let key: PersonKey
    /// By the person's own clock.
    package let signedAt: Instant
    /// An SSH signature in base64: what stands between the lines of a file that `ssh-keygen -Y sign`
    /// has written.
    package let value: String

    package static let grammar =
        "an SSH signature in base64: what stands between the lines that ssh-keygen -Y sign writes"
    package static let lengthMaximum = 1024

    package init?(by key: PersonKey, at signedAt: Instant, _ value: String) {
        guard Self.isValue(value) else { return nil }
        self.init(key: key, signedAt: signedAt, value: value)
    }

    /// Takes a value that was looked at.
    package init(key: PersonKey, signedAt: Instant, value: String) {
        (self.key, self.signedAt, self.value) = (key, signedAt, value)
    }

    package static func isValue(_ text: String) -> Bool {
        (1...lengthMaximum).contains(text.utf8.count) && isBase64(text)
    }
}

/// What a person signs who approves a change: readable, and of this change as it was seen alone.
package struct ApprovalStatement: Equatable, Sendable {
    package let app: AppSlug
    package let change: ChangeID
    package let digest: ChangeDigest
    package let approver: PrincipalID
    package let signedAt: Instant

    /// What keeps such a signature from being taken for one of something else.
    package static let namespace = "plimsoll-approval"

    package init(
        app: AppSlug,
        change: ChangeID,
        digest: ChangeDigest,
        approver: PrincipalID,
        signedAt: Instant
    ) {
        self.app = app
        self.change = change
        self.digest = digest
        self.approver = approver
        self.signedAt = signedAt
    }

    /// The very bytes that are signed, in UTF-8.
    package var text: String {
        """
        plimsoll-approval 1
        app \(app)
        change \(change)
        digest \(digest)
        approver \(approver)
        at \(signedAt.rfc3339)

        """
    }
}

/// Why a signature does not count for an approval.
package enum SignatureFault: Equatable, Sendable {
    /// It is not one of those that count for whoever approves.
    case keyNotYours(PersonKey)
    /// The clocks of the person and of the service are too far apart, or it is an old one.
    case anotherTime(Instant, now: Instant)
    /// One that is as new or newer was given of the change before.
    case used(Instant, last: Instant)
    /// The key has signed something else, or has not signed it.
    case anotherStatement

    /// Where it stands in the request.
    var pointer: Pointer {
        switch self {
        case .keyNotYours: "/signature/key"
        case .anotherTime, .used: "/signature/signedAt"
        case .anotherStatement: "/signature/value"
        }
    }

    var sentence: String {
        switch self {
        case .keyNotYours(let key): "You do not sign with \(key)."
        case .anotherTime(let instant, let now):
            "It was signed at \(instant), and it is \(now): more than a quarter of an hour from that."
        case .used(let instant, let last):
            "It was signed at \(instant); you signed an approval of the change at \(last) already."
        case .anotherStatement: "The key has not signed that you approve the change as it is."
        }
    }

    var remedy: String {
        switch self {
        case .keyNotYours: "Sign with a key of yours, or have an administrator add this one."
        case .anotherTime: "Set the clock of your machine, and approve it again."
        case .used: "Approve it again, with a new signature."
        case .anotherStatement: "Look at the change again, and sign what it shows."
        }
    }
}

/// Whether the key has signed the statement; the domain says what is signed, not how.
package typealias SignatureCheck = @Sendable (PersonSignature, ApprovalStatement) -> Bool

/// Whether it is base64 in its one spelling: padded, and without stray bits.
private func isBase64(_ text: some StringProtocol) -> Bool {
    guard let bytes = Data(base64Encoded: String(text)) else { return false }
    return bytes.base64EncodedString() == text
}
