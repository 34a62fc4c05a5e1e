import Crypto
import Foundation
import PlimsollDocuments
package import PlimsollDomain
import PlimsollSystem
import PlimsollJSON

extension SigningKeys {
    /// Sees to it that a key is kept in the place, durably; answers its public half for the log.
    package func keep(
        _ place: KeyPlace,
        for app: AppSlug
    ) async throws(SigningKeyError) -> KeptKey {
        switch place {
        case .made: return KeptKey(try makeKey(for: app), isNew: true)
        case .file: return KeptKey(try await find(place, for: app), isNew: false)
        case .environment(let name, _):
            return try note(.environment(name), try await find(place, for: app))
        case .service(let name):
            return try note(.service(name), try await find(place, for: app))
        }
    }

    /// What would be kept; nothing is, and what is made only for this is forgotten.
    package func find(
        _ place: KeyPlace,
        for app: AppSlug
    ) async throws(SigningKeyError) -> KeyRecord {
        switch place {
        case .made: return KeyRecord(KeyID(UUID()), of: app, P256.Signing.PrivateKey().publicKey)
        case .file(let id):
            let key = try privateKey(id, at: path(of: id, of: app))
            return KeyRecord(id, of: app, key.publicKey)
        case .environment(let name, let given):
            let id = given ?? KeyID(UUID())
            return KeyRecord(id, of: app, try privateKey(id, in: name).publicKey)
        case .service(let name):
            return KeyRecord(id: name.keyID, app: app, publicKey: try await publicKey(of: name))
        }
    }

    private func publicKey(of name: KeyServiceName) async throws(SigningKeyError) -> [UInt8] {
        let bytes: [UInt8]
        do throws(AmazonFailure) {
            bytes = try await service.publicKey(of: name)
        } catch {
            throw .keptElsewhere(name.keyID, reason: "its key service: \(error)")
        }
        guard let key = PublicKey(der: bytes) else {
            throw .keptElsewhere(name.keyID, reason: "it is no key on P-256")
        }
        return key.der
    }

    /// Writes down where a key is; the same note twice is one.
    ///
    /// Where the key has a file of its own there is no note beside it: whoever takes back the one
    /// must never take away the other.
    private func note(
        _ keeper: KeyNote.Keeper,
        _ record: KeyRecord
    ) throws(SigningKeyError) -> KeptKey {
        let note = KeyNote(keeper, publicKey: record.publicKey)
        let file = notePath(of: record)
        guard try !hasFile(record) else {
            throw .keptElsewhere(record.id, reason: "it is at \(path(of: record)) already")
        }
        do throws(FileError) {
            try file.parent.createFolder(permissions: .folderOfOwner)
            try file.writeDurablyOnce(note.bytes, permissions: .ownerOnly)
            return KeptKey(record, isNew: true)
        } catch {
            guard error.isAlreadyThere else { throw .notMade(record.app, error) }
        }
        guard try readNote(record.id, at: file) == note else {
            throw .keptElsewhere(record.id, reason: "\(file) says that it is somewhere else")
        }
        return KeptKey(record, isNew: false)
    }

    /// Who keeps the private half; `nil` where a file of its own does, or nobody here.
    ///
    /// A file counts before a note: what is at hand needs nobody else.
    func keeper(of record: KeyRecord) throws(SigningKeyError) -> KeyNote.Keeper? {
        if try hasFile(record) { return nil }
        return try readNote(record.id, at: notePath(of: record))?.keeper
    }

    func hasFile(_ record: KeyRecord) throws(SigningKeyError) -> Bool {
        do throws(FileError) {
            return try path(of: record).status() != nil
        } catch {
            throw .unreadable(record.id, error)
        }
    }

    private func readNote(_ id: KeyID, at file: Path) throws(SigningKeyError) -> KeyNote? {
        let bytes: [UInt8]
        do throws(SigningKeyError) {
            bytes = try self.bytes(of: id, at: file)
        } catch {
            guard case .missing = error else { throw error }
            return nil
        }
        do throws(JSONIssues) {
            return try KeyNote(parsing: bytes)
        } catch {
            throw .keptElsewhere(id, reason: "\(file) does not say where")
        }
    }

    func notePath(of record: KeyRecord) -> Path {
        folder / record.app.text / "\(record.id).place"
    }
}

extension KeyRecord {
    init(_ id: KeyID, of app: AppSlug, _ publicKey: P256.Signing.PublicKey) {
        self.init(id: id, app: app, publicKey: Array(publicKey.derRepresentation))
    }
}
