import Crypto
import Foundation
package import PlimsollDocuments
package import PlimsollDomain
package import PlimsollFiles

/// The private content keys of this instance: `{folder}/{app}/{keyId}.pem`.
///
/// A key is on the disk before the event that adds it is appended, so the log never names a key
/// that nobody has. A file that others can read is refused, since what it signs proves nothing.
/// Keys are never replaced, and taken away only by ``discard(_:)``.
package struct SigningKeys: Sendable {
    package let folder: Path

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
        let record = KeyRecord(
            id: KeyID(UUID()),
            app: app,
            publicKey: Array(key.publicKey.derRepresentation)
        )
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
        try path(of: record).removeFile()
    }

    /// What signs with the key.
    package func signer(for record: KeyRecord) throws(SigningKeyError) -> ContentSigner {
        let path = path(of: record)
        let text = String(decoding: try bytes(of: record, at: path), as: UTF8.self)
        guard let key = try? P256.Signing.PrivateKey(pemRepresentation: text) else {
            // The library's reason would quote the file.
            throw .malformed(record.id, path)
        }
        guard Array(key.publicKey.derRepresentation) == record.publicKey else {
            throw .mismatch(record.id, path)
        }
        return ContentSigner(keyID: record.id, privateKey: key)
    }

    private func bytes(of record: KeyRecord, at path: Path) throws(SigningKeyError) -> [UInt8] {
        do {
            return try path.readSecret(sizeMaximum: Self.fileSizeMaximum)
        } catch {
            switch error {
            case _ where error.isMissing: throw .missing(record.id, path)
            case _ where error.operation == .trust: throw .readableByOthers(record.id, error)
            default: throw .unreadable(record.id, error)
            }
        }
    }

    /// Those of the keys whose private half is not on this machine.
    package func missing(of records: [KeyRecord]) throws(SigningKeyError) -> [KeyRecord] {
        var missing: [KeyRecord] = []
        for record in records {
            do throws(FileError) {
                if try path(of: record).status() == nil { missing.append(record) }
            } catch {
                throw .unreadable(record.id, error)
            }
        }
        return missing
    }

    func path(of record: KeyRecord) -> Path {
        folder / record.app.text / "\(record.id).pem"
    }
}
