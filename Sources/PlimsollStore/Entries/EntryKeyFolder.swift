import Foundation
package import PlimsollDomain
package import PlimsollSystem

/// Where the secrets are kept that entries are authenticated with: a file each, beside the private
/// keys of this instance and never in the database.
package struct EntryKeyFolder: Sendable {
    /// What it is called in the folder of the private keys; no app can have its name.
    package static let name = "entries.keys"

    private static let fileSizeMaximum = 256
    fileprivate static let firstName = "first"

    package let path: Path

    package init(_ path: Path) {
        self.path = path
    }

    /// The key of that name; `nil` where it is not kept here.
    package func key(_ id: EntryKeyID) throws(EntryKeyError) -> EntryKey? {
        guard let key = try read(id.text) else {
            return try read(Self.firstName).flatMap { $0.id == id ? $0 : nil }
        }
        guard key.id == id else { throw .malformed(path / id.text) }
        return key
    }

    /// The one that a log begins with, made where there is none; of two makers one wins.
    package func first() throws(EntryKeyError) -> EntryKey {
        if let key = try read(Self.firstName) { return key }
        do throws(FileError) {
            try keep(EntryKey.random(), as: Self.firstName)
        } catch {
            guard error.isAlreadyThere else { throw .notMade(error) }
        }
        guard let key = try read(Self.firstName) else { throw .malformed(path / Self.firstName) }
        return key
    }

    private func read(_ name: String) throws(EntryKeyError) -> EntryKey? {
        let file = path / name
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try file.readSecret(sizeMaximum: Self.fileSizeMaximum)
        } catch {
            guard !error.isMissing else { return nil }
            throw .unreadable(error)
        }
        let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .newlines)
        guard let secret = Data(base64Encoded: text), let key = EntryKey(Array(secret)) else {
            throw .malformed(file)
        }
        return key
    }

    private func keep(_ key: EntryKey, as name: String) throws(FileError) {
        let text = Data(key.secret).base64EncodedString() + "\n"
        try path.createFolder(permissions: .folderOfOwner)
        try (path / name).writeDurablyOnce(Array(text.utf8), permissions: .ownerOnly)
    }

    /// Makes a key and keeps it durably, before anybody relies on it.
    package func make() throws(EntryKeyError) -> EntryKey {
        let key = EntryKey.random()
        do throws(FileError) {
            try keep(key, as: key.id.text)
        } catch {
            throw .notMade(error)
        }
        return key
    }

    /// Removes a key that nobody relies on; one that cannot be removed does no harm.
    func discard(_ id: EntryKeyID) {
        _ = try? (path / id.text).removeFile()
    }
}

/// Why a secret that entries are authenticated with cannot be used.
package enum EntryKeyError: Error, Equatable, Sendable {
    case unreadable(FileError)
    /// The file holds no key, or another one than it is named after.
    case malformed(Path)
    case notMade(FileError)
    /// The log needs it, and it is not there.
    case missing(EntryKeyID, Path)
    /// This instance keeps none.
    case nowhere
}

extension EntryKeyError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreadable(let error): "An entry key cannot be read: \(error)"
        case .malformed(let path):
            "The entry key at \(path) is no file with 32 bytes in base64, or not the key that its name"
                + " says."
        case .missing(let id, let path):
            "Entry key \(id) is not in \(path), neither under its name nor as \(EntryKeyFolder.firstName)."
                + " Put it back from its backup, and start again."
        case .notMade(let error): "No entry key could be made: \(error)"
        case .nowhere: "This instance has no place for entry keys."
        }
    }
}
