import Crypto
import Foundation
package import PlimsollDocuments
package import PlimsollDomain
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

    /// Makes the folder and sweeps what an interrupted ``makeKey(for:)`` left.
    ///
    /// For the start of the service, before anybody registers apps.
    package func prepare() throws(FileError) {
        try folder.createFolder(permissions: .folderOfOwner)
        for name in try folder.entries() {
            let appFolder = folder / name
            guard try appFolder.status()?.kind == .folder else { continue }
            try appFolder.removeLeftovers()
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

    /// Those of the keys that this instance cannot sign with.
    package func missing(of records: [KeyRecord]) throws(SigningKeyError) -> [KeyRecord] {
        var missing: [KeyRecord] = []
        for record in records {
            if try hasFile(record) { continue }
            switch try keeper(of: record) {
            case nil: missing.append(record)
            case .environment(let name): if environment(name) == nil { missing.append(record) }
            case .service: break
            }
        }
        return missing
    }

    func path(of record: KeyRecord) -> Path { path(of: record.id, of: record.app) }

    func path(of id: KeyID, of app: AppSlug) -> Path { folder / app.text / "\(id).pem" }
}
