import Crypto
import Foundation
import Glibc
import PlimsollDocuments
import PlimsollDomain
import PlimsollPublishing
import PlimsollSystem
import PlimsollTestSupport
import Testing

@Suite struct SigningKeysTests {
    /// Whether what the key signs is accepted with the public half in the record.
    private func signs(_ record: KeyRecord, _ keys: SigningKeys) throws -> Bool {
        let body = Array("all's well".utf8)
        let signature = try DistributionSignature(
            signing: body,
            date: SignatureDate(Instant(millisecondsSince1970: 0)),
            with: keys.signer(for: record)
        )
        let publicKey = try #require(PublicKey(der: record.publicKey))
        let trusted = TrustedKeys([.init(id: record.id, app: record.app, publicKey: publicKey)])
        return (try? signature.verify(body, keys: trusted)) != nil
    }

    @Test func `a key made is kept with its private half for its owner alone`() async throws {
        try await withScratchFolder { folder in
            let keys = SigningKeys(folder: folder / "keys")
            let record = try keys.makeKey(for: harbour)
            let file = folder / "keys" / "harbour" / "\(record.id).pem"
            #expect(try file.status()?.permissions == .ownerOnly)
            #expect(try file.parent.status()?.permissions == .folderOfOwner)
            #expect(try (folder / "keys").status()?.permissions == .folderOfOwner)
            let text = String(decoding: try file.read(sizeMaximum: 4096), as: UTF8.self)
            #expect(text.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
            #expect(text.hasSuffix("-----END PRIVATE KEY-----\n"))
        }
    }

    @Test func `another instance of the same folder signs with the key`() async throws {
        try await withScratchFolder { folder in
            let record = try SigningKeys(folder: folder).makeKey(for: harbour)
            #expect(try signs(record, SigningKeys(folder: folder)))
        }
    }

    @Test func `two keys of an app stand beside each other`() async throws {
        try await withScratchFolder { folder in
            let keys = SigningKeys(folder: folder)
            let (first, second) = (try keys.makeKey(for: harbour), try keys.makeKey(for: harbour))
            #expect(first.id != second.id)
            #expect(try signs(first, keys))
            #expect(try signs(second, keys))
        }
    }

    @Test(arguments: [0o640, 0o604, 0o620, 0o777] as [UInt32])
    func `a key that others could read or write is refused`(mode: UInt32) async throws {
        try await withScratchFolder { folder in
            let keys = SigningKeys(folder: folder)
            let record = try keys.makeKey(for: harbour)
            let file = folder / "harbour" / "\(record.id).pem"
            try file.setPermissions(Permissions(rawValue: mode))
            let error = #expect(throws: SigningKeyError.self) { try keys.signer(for: record) }
            guard case .readableByOthers(record.id, _)? = error else {
                Issue.record("refused for another reason: \(String(describing: error))")
                return
            }
            #expect(error?.description.contains("chmod 600") == true)
        }
    }

    @Test(arguments: [(0o644, false), (0o600, true)] as [(UInt32, Bool)])
    func `a key behind a link counts by the file it leads to`(
        mode: UInt32,
        isTaken: Bool
    ) async throws {
        try await withScratchFolder { folder in
            let keys = SigningKeys(folder: folder)
            let record = try keys.makeKey(for: harbour)
            let file = folder / "harbour" / "\(record.id).pem"
            let elsewhere = folder / "elsewhere.pem"
            try file.rename(to: elsewhere)
            try file.pointSymbolicLink(to: elsewhere.string)
            try elsewhere.setPermissions(Permissions(rawValue: mode))
            let signer = Result { () throws(SigningKeyError) in try keys.signer(for: record) }
            switch signer {
            case .success: #expect(isTaken)
            case .failure(.readableByOthers(record.id, _)): #expect(!isTaken)
            case .failure(let error): Issue.record("refused for another reason: \(error)")
            }
        }
    }

    @Test func `a missing key is named with the place it should be at`() async throws {
        try await withScratchFolder { folder in
            let keys = SigningKeys(folder: folder)
            let record = try keys.makeKey(for: harbour)
            try keys.discard(record)
            let file = folder / "harbour" / "\(record.id).pem"
            #expect(throws: SigningKeyError.missing(record.id, file)) {
                try keys.signer(for: record)
            }
        }
    }

    private static let twoKeys = (1...2).map { _ in P256.Signing.PrivateKey().pemRepresentation }
        .joined()

    @Test(arguments: [
        "", "not a key", "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", twoKeys,
        P384.Signing.PrivateKey().pemRepresentation,
        "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----",
    ])
    func `a file that is no key is refused`(content: String) async throws {
        try await withScratchFolder { folder in
            let keys = SigningKeys(folder: folder)
            let record = try keys.makeKey(for: harbour)
            let file = folder / "harbour" / "\(record.id).pem"
            try file.writeDurably(Array(content.utf8), permissions: .ownerOnly)
            #expect(throws: SigningKeyError.malformed(record.id, file)) {
                try keys.signer(for: record)
            }
        }
    }

    @Test func `another key under the name of this one is refused`() async throws {
        try await withScratchFolder { folder in
            let keys = SigningKeys(folder: folder)
            let record = try keys.makeKey(for: harbour)
            let file = folder / "harbour" / "\(record.id).pem"
            let other = P256.Signing.PrivateKey().pemRepresentation
            try file.writeDurably(Array(other.utf8), permissions: .ownerOnly)
            #expect(throws: SigningKeyError.mismatch(record.id, file)) {
                try keys.signer(for: record)
            }
        }
    }

    @Test func `a huge file is refused unread`() async throws {
        try await withScratchFolder { folder in
            let keys = SigningKeys(folder: folder)
            let record = try keys.makeKey(for: harbour)
            let file = folder / "harbour" / "\(record.id).pem"
            try file.writeDurably([UInt8](repeating: 0x41, count: 1 << 20), permissions: .ownerOnly)
            let error = #expect(throws: SigningKeyError.self) { try keys.signer(for: record) }
            guard case .unreadable(record.id, _)? = error else {
                Issue.record("refused for another reason: \(String(describing: error))")
                return
            }
        }
    }

    @Test func `making a key that is stopped half-way leaves nothing that counts`() async throws {
        try await withScratchFolder { folder in
            let keys = SigningKeys(folder: folder)
            await #expect(throws: SigningKeyError.self) {
                try await withFault(at: "files.write.synchronized", code: ENOSPC) {
                    try keys.makeKey(for: harbour)
                }
            }
            let left = try (folder / "harbour").entries()
            #expect(left == [])
        }
    }

    @Test func `preparing sweeps what a killed maker left and keeps the keys`() async throws {
        try await withScratchFolder { folder in
            let keys = SigningKeys(folder: folder)
            let record = try keys.makeKey(for: harbour)
            let leftover = folder / "harbour" / ".unfinished-1-2"
            try leftover.writeDurably([1], permissions: .ownerOnly)
            try FileManager.default.setAttributes(
                [.modificationDate: Date.now - 7200],
                ofItemAtPath: leftover.string
            )
            try keys.prepare()
            #expect(try (folder / "harbour").entries() == ["\(record.id).pem"])
            #expect(try signs(record, keys))
        }
    }

    @Test func `preparing leaves alone what another instance is at`() async throws {
        try await withScratchFolder { folder in
            for name in ["harbour", "entries.keys"] {
                let unfinished = folder / name / ".unfinished-1-2"
                try unfinished.parent.createFolder(permissions: .folderOfOwner)
                try unfinished.writeDurably([1], permissions: .ownerOnly)
                try SigningKeys(folder: folder).prepare()
                #expect(try unfinished.status() != nil)
            }
        }
    }
}
