import Foundation
package import PlimsollDomain
package import PlimsollSystem

/// Where the secrets are kept that entries are authenticated with: a file each, beside the private
/// keys of this instance and never in the database.
package struct EntryKeyFolder: Sendable {
    /// What it is called in the folder of the private keys; no app can have its name.
    package static let name = "entries.keys"

    private static let fileSizeMaximum = 256

    package let path: Path

    package init(_ path: Path) {
        self.path = path
    }

    /// The key of that name; `nil` where it is not kept here.
    package func key(_ id: EntryKeyID) throws(EntryKeyError) -> EntryKey? {
        let file = path / id.text
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try file.readSecret(sizeMaximum: Self.fileSizeMaximum)
        } catch {
            guard !error.isMissing else { return nil }
            throw .unreadable(error)
        }
        let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .newlines)
        guard let secret = Data(base64Encoded: text), let key = EntryKey(Array(secret)),
            key.id == id
        else { throw .malformed(file) }
        return key
    }

    /// Some key that is kept here; `nil` where there is none.
    package func any() throws(EntryKeyError) -> EntryKey? {
        let names: [String]
        do throws(FileError) {
            names = try path.entries()
        } catch {
            guard !error.isMissing else { return nil }
            throw .unreadable(error)
        }
        return try names.sorted().lazy.compactMap(EntryKeyID.init).first.flatMap {
            id throws(EntryKeyError) in try key(id)
        }
    }

    /// Makes a key and keeps it durably, before anybody relies on it.
    package func make() throws(EntryKeyError) -> EntryKey {
        let key = EntryKey.random()
        let text = Data(key.secret).base64EncodedString() + "\n"
        do throws(FileError) {
            try path.createFolder(permissions: .folderOfOwner)
            try (path / key.id.text).writeDurablyOnce(Array(text.utf8), permissions: .ownerOnly)
        } catch {
            throw .notMade(error)
        }
        return key
    }
}

/// Why a secret that entries are authenticated with cannot be used.
package enum EntryKeyError: Error, Equatable, Sendable {
    case unreadable(FileError)
    /// The file holds no key, or another one than it is named after.
    case malformed(Path)
    case notMade(FileError)
    /// This instance keeps none.
    case nowhere
}

extension EntryKeyError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreadable(let error): "An entry key cannot be read: \(error)"
        case .malformed(let path):
            "The entry key at \(path) is not 32 bytes in base64, or not the key that its name says."
        case .notMade(let error): "No entry key could be made: \(error)"
        case .nowhere: "This instance has no place for entry keys."
        }
    }
}
