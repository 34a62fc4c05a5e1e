import Crypto
import Foundation
package import PlimsollSystem

/// The key that accounts are hashed with: 256 bits in a file of this instance.
///
/// Who has the database knows no account, and cannot try names out. Instances that share a database
/// need the same file; without it they take everybody for new.
package struct AccountKey: Sendable {
    private let key: SymmetricKey

    /// What the file is called in the folder of the private keys; no app can have its name.
    package static let fileName = "accounts.key"

    private static let bytesCount = 32
    private static let fileSizeMaximum = 256

    /// Reads the key, or makes it and keeps it durably; of two makers one wins.
    package init(at path: Path) throws {
        if let key = try Self.read(path) {
            self.key = key
            return
        }
        var generator = SystemRandomNumberGenerator()
        let made = (0..<Self.bytesCount).map { _ in
            UInt8.random(in: .min ... .max, using: &generator)
        }
        let text = Data(made).base64EncodedString() + "\n"
        do throws(FileError) {
            try path.parent.createFolder(permissions: .folderOfOwner)
            try path.writeDurablyOnce(Array(text.utf8), permissions: .ownerOnly)
        } catch {
            guard error.isAlreadyThere else { throw error }
        }
        guard let key = try Self.read(path) else { throw AccountKeyMalformed(path: path) }
        self.key = key
    }

    /// Reads the key; `nil` where there is none, since then nothing was ever hashed with it.
    package init?(existingAt path: Path) throws {
        guard let key = try Self.read(path) else { return nil }
        self.key = key
    }

    /// What stands for the account in the database.
    func hash(_ account: String) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Array("account \(account)".utf8), using: key))
    }

    private static func read(_ path: Path) throws -> SymmetricKey? {
        guard let bytes = try path.readSecretIfPresent(sizeMaximum: fileSizeMaximum) else {
            return nil
        }
        let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .newlines)
        guard let key = Data(base64Encoded: text), key.count == bytesCount else {
            throw AccountKeyMalformed(path: path)
        }
        return SymmetricKey(data: key)
    }
}

/// The file holds no key that accounts could be hashed with.
package struct AccountKeyMalformed: Error, Equatable, CustomStringConvertible {
    let path: Path

    package var description: String {
        "The key of accounts at \(path) is not 32 bytes in base64."
    }
}
