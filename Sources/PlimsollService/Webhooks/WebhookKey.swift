import Crypto
import Foundation
package import PlimsollDomain
package import PlimsollSystem
import PlimsollStore

/// The key that the secrets of all webhooks are made from: 256 bits in a file of this instance.
///
/// A secret is the HMAC of the webhook's id and the secret's generation, so nothing that signs lies
/// in the database or in the log: whoever has a dump of either cannot send in our name. Who has the
/// file can. One that others can read is refused.
package struct WebhookKey: Sendable {
    package let path: Path

    /// What the file is called in the folder of the private keys.
    package static let fileName = "webhooks.key"

    private static let bytesCount = 32
    private static let fileSizeMaximum = 256

    package init(_ path: Path) {
        self.path = path
    }

    /// Which key it is; `nil` where there is none yet.
    package func id() throws(WebhookKeyError) -> WebhookKeyID? {
        try read().map(keyID)
    }

    /// Which key it is, made and kept durably where there is none; of two makers one wins.
    package func make() throws(WebhookKeyError) -> WebhookKeyID {
        if let id = try id() { return id }
        var generator = SystemRandomNumberGenerator()
        let key = (0..<Self.bytesCount).map { _ in
            UInt8.random(in: .min ... .max, using: &generator)
        }
        let text = Data(key).base64EncodedString() + "\n"
        do throws(FileError) {
            try path.parent.createFolder(permissions: .folderOfOwner)
            try path.writeDurablyOnce(Array(text.utf8), permissions: .ownerOnly)
        } catch {
            guard error.isAlreadyThere else { throw .notMade(error) }
        }
        guard let id = try id() else { throw .missing(path) }
        return id
    }

    /// The secret of a webhook; refused where it was made from another key.
    package func secret(
        of webhook: WebhookID,
        _ secret: WebhookSecret
    ) throws(WebhookKeyError) -> SigningSecret {
        guard let key = try read() else { throw .missing(path) }
        guard keyID(of: key) == secret.key else { throw .another(path) }
        return SigningSecret(
            bytes: authenticationCode(
                of: "plimsoll webhook secret \(webhook) \(secret.generation)",
                key
            )
        )
    }

    private func read() throws(WebhookKeyError) -> [UInt8]? {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try path.readSecret(sizeMaximum: Self.fileSizeMaximum)
        } catch {
            guard !error.isMissing else { return nil }
            throw .unreadable(error)
        }
        let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .newlines)
        guard let key = Data(base64Encoded: text), key.count == Self.bytesCount else {
            throw .malformed(path)
        }
        return Array(key)
    }
}

/// Why secrets cannot be made from the key.
package enum WebhookKeyError: Error, Equatable, Sendable {
    case missing(Path)
    case unreadable(FileError)
    case malformed(Path)
    /// The secret was made from a key that is not here.
    case another(Path)
    case notMade(FileError)
}

extension WebhookKeyError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missing(let path):
            "the key of the webhooks' secrets is not at \(path); restore it from its backup, or"
                + " rotate the secret"
        case .unreadable(let error): "the key of the webhooks' secrets is not used: \(error)"
        case .malformed(let path):
            "the key of the webhooks' secrets at \(path) is not 32 bytes in base64"
        case .another(let path):
            "the secret was made from another key than the one at \(path); restore that from its"
                + " backup, or rotate the secret"
        case .notMade(let error): "no key could be made for the webhooks' secrets: \(error)"
        }
    }
}

extension WebhookKeyError {
    /// What people are told who are not the operator: nothing of where things lie.
    package var cause: String {
        switch self {
        case .missing, .another:
            "the key that its secret was made from is not here; rotate the secret, or have the"
                + " operator restore the key"
        case .unreadable, .malformed, .notMade:
            "the key of the secrets cannot be used; the operator finds out why with plimsoll doctor"
                + " --data"
        }
    }
}

private func keyID(of key: [UInt8]) -> WebhookKeyID {
    let code = authenticationCode(of: "plimsoll webhook key", key)
    guard let id = WebhookKeyID(hexadecimal(code.prefix(8))) else {
        preconditionFailure("eight bytes have sixteen hexadecimal digits")
    }
    return id
}

private func authenticationCode(of text: String, _ key: [UInt8]) -> [UInt8] {
    Array(
        HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: SymmetricKey(data: key))
    )
}
