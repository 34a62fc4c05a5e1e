import Crypto
import Foundation
import PlimsollDocuments
import PlimsollDomain
import PlimsollPublishing
import PlimsollSystem
import PlimsollTestSupport
import Testing

/// Keys that were not made by the service, and those that no file holds.
@Suite struct KeyPlaceTests {
    private static let digest = SHA256.hash(data: Array("all's well".utf8))

    private let variable: EnvironmentName

    init() throws {
        variable = try #require(EnvironmentName("PLIMSOLL_SIGNING_KEY_HARBOUR"))
    }

    /// Keys below the folder, with one variable in the environment.
    private func keys(_ folder: Path, _ pem: String?) -> SigningKeys {
        var keys = SigningKeys(folder: folder)
        let variable = variable
        keys.environment = { $0 == variable ? pem : nil }
        return keys
    }

    private func signs(_ record: KeyRecord, _ keys: SigningKeys) async throws -> Bool {
        let signatures = try await keys.checkedSigner(for: record).sign([Self.digest])
        let publicKey = try #require(PublicKey(der: record.publicKey))
        let signature = try #require(signatures.first)
        return signatures.map(\.keyID) == [record.id]
            && publicKey.accepts(signature, over: Self.digest)
    }

    /// What a key in a file of `openssl ecparam -genkey` is: SEC 1 rather than PKCS#8.
    private func openSSLKey(_ options: String...) async throws -> String {
        try await output(of: "openssl", ["ecparam", "-name", "prime256v1", "-genkey"] + options)
    }

    @Test func `a PEM file that lies there is taken under its name, in either form`() async throws {
        let pems = [
            P256.Signing.PrivateKey().pemRepresentation, try await openSSLKey("-noout"),
            try await openSSLKey(),
        ]
        #expect(pems[1].contains("BEGIN EC PRIVATE KEY"))
        #expect(pems[2].contains("BEGIN EC PARAMETERS"))
        for pem in pems {
            try await withScratchFolder { folder in
                let (keys, id) = (SigningKeys(folder: folder), KeyID(UUID()))
                let file = folder / "harbour" / "\(id).pem"
                try file.parent.createFolder(permissions: .folderOfOwner)
                try file.writeDurably(Array(pem.utf8), permissions: .ownerOnly)
                let kept = try await keys.keep(.file(id), for: harbour)
                #expect(!kept.isNew)
                #expect(kept.record.id == id)
                #expect(try await signs(kept.record, keys))
                let (trusted, unusable) = try keys.publicHalves()
                #expect(trusted.all.map(\.id) == [id])
                #expect(unusable == [])
            }
        }
    }

    @Test func `a PEM file that others can read, or that is not there, is refused`() async throws {
        try await withScratchFolder { folder in
            let (keys, id) = (SigningKeys(folder: folder), KeyID(UUID()))
            let file = folder / "harbour" / "\(id).pem"
            await #expect(throws: SigningKeyError.missing(id, file)) {
                try await keys.keep(.file(id), for: harbour)
            }
            try file.parent.createFolder(permissions: .folderOfOwner)
            let pem = P256.Signing.PrivateKey().pemRepresentation
            try file.writeDurably(Array(pem.utf8), permissions: .readableByAll)
            let error = await #expect(throws: SigningKeyError.self) {
                try await keys.keep(.file(id), for: harbour)
            }
            guard case .readableByOthers(id, _)? = error else {
                Issue.record("refused for another reason: \(String(describing: error))")
                return
            }
        }
    }

    @Test func `a key in the environment signs, and its note says where it is`() async throws {
        let pem = P256.Signing.PrivateKey().pemRepresentation
        try await withScratchFolder { folder in
            let (keys, id) = (keys(folder, pem), KeyID(UUID()))
            let kept = try await keys.keep(.environment(variable, id), for: harbour)
            #expect(kept.isNew)
            #expect(kept.record.id == id)
            let note = folder / "harbour" / "\(id).place"
            #expect(try note.status()?.permissions == .ownerOnly)
            let text = String(decoding: try note.read(sizeMaximum: 4096), as: UTF8.self)
            #expect(text.contains(variable.text))
            #expect(!text.contains("PRIVATE"))
            #expect(try await signs(kept.record, keys))
            #expect(keys.fault(of: kept.record) == nil)
            #expect(try keys.publicHalves().keys.all.map(\.id) == [id])
            let again = try await keys.keep(.environment(variable, id), for: harbour)
            #expect(again == KeptKey(kept.record, isNew: false))
            try keys.discard(kept.record)
            #expect(try (folder / "harbour").entries() == [])
        }
    }

    @Test func `a key that has a file of its own gets no note beside it`() async throws {
        let pem = P256.Signing.PrivateKey().pemRepresentation
        try await withScratchFolder { folder in
            let keys = keys(folder, pem)
            let record = try keys.makeKey(for: harbour)
            await #expect(throws: SigningKeyError.self) {
                try await keys.keep(.environment(variable, record.id), for: harbour)
            }
            #expect(try (folder / "harbour").entries() == ["\(record.id).pem"])
            #expect(try await signs(record, keys))
        }
    }

    @Test func `a key without an id gets one`() async throws {
        let pem = P256.Signing.PrivateKey().pemRepresentation
        try await withScratchFolder { folder in
            let keys = keys(folder, pem)
            let kept = try await keys.keep(.environment(variable, nil), for: harbour)
            #expect(try await signs(kept.record, keys))
        }
    }

    @Test func `another key in the variable, none, or nonsense signs nothing`() async throws {
        let pem = P256.Signing.PrivateKey().pemRepresentation
        try await withScratchFolder { folder in
            let kept = try await keys(folder, pem).keep(.environment(variable, nil), for: harbour)
            let record = kept.record
            let bad: [(String?, String)] = [
                (P256.Signing.PrivateKey().pemRepresentation, "holds another key"),
                (nil, "is not set"), ("", "holds no P-256 key"), ("secret", "holds no P-256 key"),
            ]
            for (text, reason) in bad {
                let error = #expect(throws: SigningKeyError.self) {
                    try keys(folder, text).checkedSigner(for: record)
                }
                #expect(error?.description.contains("\(variable) \(reason)") == true)
                #expect(error?.description.contains("secret") == false)
            }
            let missing = keys(folder, nil).fault(of: record)
            #expect(missing == .missing(record.id, folder / "harbour" / "\(record.id).pem"))
            try (folder / "harbour" / "\(record.id).place").setPermissions(.readableByAll)
            guard case .readableByOthers(record.id, _)? = keys(folder, nil).fault(of: record) else {
                Issue.record("a note that others can read is believed")
                return
            }
        }
    }

    @Test func `a note that was spoilt says nothing`() async throws {
        let pem = P256.Signing.PrivateKey().pemRepresentation
        try await withScratchFolder { folder in
            let keys = keys(folder, pem)
            let kept = try await keys.keep(.environment(variable, nil), for: harbour)
            let note = folder / "harbour" / "\(kept.record.id).place"
            for text in ["", "{}", #"{"publicKey":"AA=="}"#, "PLIMSOLL_SIGNING_KEY_HARBOUR"] {
                try note.writeDurably(Array(text.utf8), permissions: .ownerOnly)
                #expect(throws: SigningKeyError.self) {
                    try keys.checkedSigner(for: kept.record)
                }
            }
            #expect(try keys.publicHalves().keys.isEmpty)
        }
    }

    @Test func `a compromised key is not trusted at a start`() async throws {
        try await withScratchFolder { folder in
            let keys = SigningKeys(folder: folder)
            let records = [try keys.makeKey(for: harbour), try keys.makeKey(for: harbour)]
            let published = try records.map { record in
                PublishedKey(
                    id: record.id,
                    app: harbour,
                    state: record == records[0] ? .compromised : .active,
                    publicKey: try #require(PublicKey(der: record.publicKey))
                )
            }
            let (trusted, _) = try keys.publicHalves(published: PublishedKeys(published))
            #expect(trusted.all.map(\.id) == [records[1].id])
            #expect(trusted.revoked == [records[0].id])
        }
    }

    @Test(arguments: [
        "", "PATH", "PLIMSOLL_TOKEN", "PLIMSOLL_SIGNING_KEY_", "PLIMSOLL_SIGNING_KEYS",
        "PLIMSOLL_SIGNING_KEY_a", "PLIMSOLL_SIGNING_KEY-A", "plimsoll_signing_key",
        "PLIMSOLL_SIGNING_KEY_" + String(repeating: "A", count: 80),
    ])
    func `no other variable can be asked for`(name: String) {
        #expect(EnvironmentName(name) == nil)
    }
}
