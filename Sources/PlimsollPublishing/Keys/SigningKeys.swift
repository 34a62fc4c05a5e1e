import Crypto
import Foundation
package import PlimsollDocuments
package import PlimsollDomain
import PlimsollJSON
package import PlimsollSystem

/// The content keys that this instance can sign with, below a folder of its own.
///
/// `{app}/{keyId}.pem` is a private key; `{app}/{keyId}.place` says where one is that no file
/// holds. Either is on the disk before the event that adds the key is appended, so the log never
/// names a key that nobody has. A file that others can read is refused, since what it signs
/// proves nothing. Keys are never replaced, and taken away only by ``discard(_:)``.
package struct SigningKeys: Sendable {
    package let folder: Path
    /// The environment of the service, where keys may be that no file holds.
    package var environment: @Sendable (EnvironmentName) -> String? = {
        ProcessInfo.processInfo.environment[$0.text]
    }

    /// Asked to sign with the keys that it keeps.
    package var service = KeyManagementService()

    /// A P-256 key takes about 240 bytes.
    static let fileSizeMaximum = 4096

    package init(folder: Path) {
        self.folder = folder
    }

    /// What is unfinished for longer was interrupted; writing a key takes a moment.
    private static let leftoverAge: Duration = .seconds(3600)

    /// Makes the folder and sweeps what an interrupted ``makeKey(for:)`` left.
    ///
    /// For the start of the service, while other instances may be making keys.
    package func prepare() throws(FileError) {
        try folder.createFolder(permissions: .folderOfOwner)
        for name in try folder.entries() {
            let appFolder = folder / name
            guard try appFolder.status()?.kind == .folder else { continue }
            try appFolder.removeLeftovers(olderThan: Self.leftoverAge)
        }
    }

    /// Makes a key for the app and keeps it durably; answers its public half for the log.
    package func makeKey(for app: AppSlug) throws(SigningKeyError) -> KeyRecord {
        let key = P256.Signing.PrivateKey()
        let record = KeyRecord(KeyID(UUID()), of: app, key.publicKey)
        do {
            let file = path(of: record)
            try file.parent.createFolder(permissions: .folderOfOwner)
            try FaultPoint.reached("export.key.folder")
            try file.writeDurablyOnce(
                Array((key.pemRepresentation + "\n").utf8),
                permissions: .ownerOnly
            )
        } catch {
            throw .notMade(app, error)
        }
        return record
    }

    /// Takes back a key that never entered the log.
    package func discard(_ record: KeyRecord) throws(FileError) {
        let hadFile = try path(of: record).removeFile()
        if !hadFile { try notePath(of: record).removeFile() }
    }

    /// What signs with a key whose private half is at hand.
    package func signer(for record: KeyRecord) throws(SigningKeyError) -> ContentSigner {
        switch try keeper(of: record) {
        case nil: return try signer(inFileOf: record)
        case .environment(let name): return try signer(for: record, in: name)
        case .service: throw .keptElsewhere(record.id, reason: "its key service signs with it")
        }
    }

    /// What signs with the key, wherever that is, held against its public half.
    package func checkedSigner(for record: KeyRecord) throws(SigningKeyError) -> CheckedSigner {
        let signer: any KeySigner
        switch try keeper(of: record) {
        case nil, .environment: signer = LocalSigner(try self.signer(for: record))
        case .service(let name): signer = ServiceSigner(name: name, service: service)
        }
        guard let publicKey = PublicKey(der: record.publicKey) else {
            throw .mismatch(record.id, path(of: record))
        }
        return CheckedSigner(signer, publicKey: publicKey)
    }

    private func signer(inFileOf record: KeyRecord) throws(SigningKeyError) -> ContentSigner {
        let path = path(of: record)
        let key = try privateKey(record.id, at: path)
        guard Array(key.publicKey.derRepresentation) == record.publicKey else {
            throw .mismatch(record.id, path)
        }
        return ContentSigner(keyID: record.id, privateKey: key)
    }

    private func signer(
        for record: KeyRecord,
        in name: EnvironmentName
    ) throws(SigningKeyError) -> ContentSigner {
        let key = try privateKey(record.id, in: name)
        guard Array(key.publicKey.derRepresentation) == record.publicKey else {
            throw .keptElsewhere(record.id, reason: "the variable \(name) holds another key")
        }
        return ContentSigner(keyID: record.id, privateKey: key)
    }

    func privateKey(
        _ id: KeyID,
        at path: Path
    ) throws(SigningKeyError) -> P256.Signing.PrivateKey {
        let text = String(decoding: try bytes(of: id, at: path), as: UTF8.self)
        // The library's reason would quote the file.
        guard let key = P256.Signing.PrivateKey(pem: text) else {
            throw .malformed(id, path)
        }
        return key
    }

    func privateKey(
        _ id: KeyID,
        in name: EnvironmentName
    ) throws(SigningKeyError) -> P256.Signing.PrivateKey {
        guard let text = environment(name) else {
            throw .keptElsewhere(id, reason: "the variable \(name) is not set")
        }
        guard let key = P256.Signing.PrivateKey(pem: text) else {
            throw .keptElsewhere(id, reason: "the variable \(name) holds no P-256 key in PEM")
        }
        return key
    }

    func bytes(of id: KeyID, at path: Path) throws(SigningKeyError) -> [UInt8] {
        do {
            return try path.readSecret(sizeMaximum: Self.fileSizeMaximum)
        } catch {
            switch error {
            case _ where error.isMissing: throw .missing(id, path)
            case _ where error.operation == .trust: throw .readableByOthers(id, error)
            default: throw .unreadable(id, error)
            }
        }
    }

    /// Why this instance cannot sign with the key, as far as that is seen without the key itself.
    package func fault(of record: KeyRecord) -> SigningKeyError? {
        do throws(SigningKeyError) {
            if try hasFile(record) { return nil }
            let missing = SigningKeyError.missing(record.id, path(of: record))
            switch try keeper(of: record) {
            case nil: return missing
            case .environment(let name): return environment(name) == nil ? missing : nil
            case .service: return nil
            }
        } catch {
            return error
        }
    }

    func path(of record: KeyRecord) -> Path { path(of: record.id, of: record.app) }

    func path(of id: KeyID, of app: AppSlug) -> Path { folder / app.text / "\(id).pem" }
}

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

extension SigningKeys {
    /// The public halves of the keys that this instance signs with, and the files that are none.
    ///
    /// An edge that starts while the database is away trusts these: they are this instance's own.
    /// Those that were published as compromised it does not.
    package func publicHalves(
        published: PublishedKeys? = nil
    ) throws(FileError) -> (keys: TrustedKeys, unusable: [Path]) {
        guard try folder.isFolder() else { return (TrustedKeys([]), []) }
        var keys: [TrustedKeys.Key] = []
        var unusable: [Path] = []
        for name in try folder.entries() {
            guard let app = AppSlug(name), try (folder / name).isFolder() else { continue }
            for file in try (folder / name).entries() {
                guard let kind = KeyFileKind(file) else { continue }
                let path = folder / name / file
                if let key = publicHalf(in: path, kind, of: app) {
                    keys.append(key)
                } else {
                    unusable.append(path)
                }
            }
        }
        let revoked = published.map { TrustedKeys($0).revoked } ?? []
        return (TrustedKeys(keys, revoked: revoked), unusable)
    }

    /// What is wrong with a file matters to who signs with it; here it is just not trusted.
    private func publicHalf(
        in path: Path,
        _ kind: KeyFileKind,
        of app: AppSlug
    ) -> TrustedKeys.Key? {
        guard
            let id = kind.id, let bytes = try? path.readSecret(sizeMaximum: Self.fileSizeMaximum),
            let publicKey = kind.publicKey(in: bytes)
        else { return nil }
        return TrustedKeys.Key(id: id, app: app, publicKey: publicKey)
    }
}

/// A file that a key is in, or the note where it is.
private enum KeyFileKind {
    case pem(String)
    case note(String)

    init?(_ name: String) {
        if name.hasSuffix(".pem") {
            self = .pem(String(name.dropLast(4)))
        } else if name.hasSuffix(".place") {
            self = .note(String(name.dropLast(6)))
        } else {
            return nil
        }
    }

    /// What the file is named after; `nil` where that is no key.
    var id: KeyID? {
        switch self {
        case .pem(let name), .note(let name): KeyID(name)
        }
    }

    func publicKey(in bytes: [UInt8]) -> PublicKey? {
        switch self {
        case .pem:
            P256.Signing.PrivateKey(pem: String(decoding: bytes, as: UTF8.self))
                .map { PublicKey($0.publicKey) }
        case .note: (try? KeyNote(parsing: bytes)).flatMap { PublicKey(der: $0.publicKey) }
        }
    }
}
