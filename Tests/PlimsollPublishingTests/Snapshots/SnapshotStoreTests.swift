import Foundation
import Glibc
import PlimsollDocuments
import PlimsollDomain
import PlimsollPublishing
import PlimsollStore
import PlimsollSystem
import PlimsollTestSupport
import Testing

@Suite struct SnapshotStoreTests {
    /// Adds the log's newest snapshot and makes it current.
    private func publish(
        _ log: LogBuilder,
        _ keys: SigningKeys,
        to store: SnapshotStore
    ) throws -> SnapshotSequence {
        let edition = try #require(log.edition())
        let signers = try edition.activeKeys.map { try keys.signer(for: $0) }
        let files = try SnapshotPlan(edition).sign(with: signers, keeping: nil)
        try store.add(files, edition.order.sequence, of: harbour)
        try store.makeCurrent(edition.order.sequence, of: harbour)
        return edition.order.sequence
    }

    @Test func `an empty folder has nothing current`() async throws {
        try await withScratchFolder { folder in
            let store = SnapshotStore(ExportFolder(folder / "export"))
            try store.prepare()
            #expect(try store.current(of: harbour) == nil)
            #expect(try !store.has(SnapshotSequence(orderedBy: Position(1)), of: harbour))
        }
    }

    @Test func `what was published is read back and verified`() async throws {
        try await withScratchFolder { folder in
            let store = SnapshotStore(ExportFolder(folder / "export"))
            try store.prepare()
            let keys = SigningKeys(folder: folder / "keys")
            let log = try LogBuilder.withHarbour(keys)
            let sequence = try publish(log, keys, to: store)
            #expect(try store.current(of: harbour) == sequence)
            let served = try store.folder.served(trusting: log.trustedKeys)
            #expect(SnapshotPlan(try #require(log.edition())).describes(served))
        }
    }

    @Test func `a snapshot that is there is not written again`() async throws {
        try await withScratchFolder { folder in
            let store = SnapshotStore(ExportFolder(folder / "export"))
            try store.prepare()
            let keys = SigningKeys(folder: folder / "keys")
            let log = try LogBuilder.withHarbour(keys)
            _ = try publish(log, keys, to: store)
            let first = try store.folder.served(trusting: log.trustedKeys)
            _ = try publish(log, keys, to: store)
            #expect(try store.folder.served(trusting: log.trustedKeys) == first)
        }
    }

    @Test func `a flipped bit in any file is seen`() async throws {
        try await withScratchFolder { folder in
            let store = SnapshotStore(ExportFolder(folder / "export"))
            try store.prepare()
            let keys = SigningKeys(folder: folder / "keys")
            let log = try LogBuilder.withHarbour(keys)
            let sequence = try publish(log, keys, to: store)
            let place = store.folder.snapshot(sequence, of: harbour)
            for name in try place.entries() {
                let file = place / name
                let whole = try file.read(sizeMaximum: 1 << 20)
                for index in [0, whole.count / 2, whole.count - 2] {
                    var bytes = whole
                    bytes[index] ^= 1
                    try file.writeDurably(bytes)
                    #expect(throws: PublicationFailure.self, "\(name), byte \(index)") {
                        try store.snapshot(sequence, of: harbour, trusting: log.trustedKeys)
                    }
                }
                try file.removeFile()
                #expect(throws: PublicationFailure.self, "\(name) missing") {
                    try store.snapshot(sequence, of: harbour, trusting: log.trustedKeys)
                }
                try file.writeDurably(whole)
            }
            #expect(throws: Never.self) {
                try store.snapshot(sequence, of: harbour, trusting: log.trustedKeys)
            }
        }
    }

    @Test func `a whole snapshot under another number is refused`() async throws {
        try await withScratchFolder { folder in
            let store = SnapshotStore(ExportFolder(folder / "export"))
            try store.prepare()
            let keys = SigningKeys(folder: folder / "keys")
            let log = try LogBuilder.withHarbour(keys)
            let sequence = try publish(log, keys, to: store)
            let other = SnapshotSequence(orderedBy: Position(99))
            try store.folder.snapshot(sequence, of: harbour)
                .rename(to: store.folder.snapshot(other, of: harbour))
            #expect(throws: PublicationFailure.self) {
                try store.snapshot(other, of: harbour, trusting: log.trustedKeys)
            }
        }
    }

    @Test func `another app's snapshot is refused`() async throws {
        try await withScratchFolder { folder in
            let store = SnapshotStore(ExportFolder(folder / "export"))
            try store.prepare()
            let keys = SigningKeys(folder: folder / "keys")
            let log = try LogBuilder.withHarbour(keys)
            let sequence = try publish(log, keys, to: store)
            let quay = slug("quay")
            try store.folder.snapshots(of: quay).createFolder()
            try store.folder.snapshot(sequence, of: harbour)
                .rename(to: store.folder.snapshot(sequence, of: quay))
            #expect(throws: PublicationFailure.self) {
                try store.snapshot(sequence, of: quay, trusting: log.trustedKeys)
            }
        }
    }

    @Test func `public keys are published each and as a list`() async throws {
        try await withScratchFolder { folder in
            let store = SnapshotStore(ExportFolder(folder / "export"))
            try store.prepare()
            let log = try LogBuilder.withHarbour(SigningKeys(folder: folder / "keys"))
            let keys = PublishedKeys(log.logState.keyring)
            let term = ExportTerm(try #require(Epoch(rawValue: 1)), in: store.folder)
            try term.begin()
            try store.publish(keys, in: term)
            let list = try store.folder.keyList.read(sizeMaximum: 1 << 20)
            #expect(list == keys.bytes)
            let key = try #require(keys.keys.first)
            let pem = try store.folder.key(key.id).read(sizeMaximum: 4096)
            #expect(PublicKey(pem: pem) == key.publicKey)
        }
    }

    @Test func `preparing sweeps what a killed exporter left`() async throws {
        try await withScratchFolder { folder in
            let store = SnapshotStore(ExportFolder(folder / "export"))
            try store.prepare()
            let keys = SigningKeys(folder: folder / "keys")
            let log = try LogBuilder.withHarbour(keys)
            let sequence = try publish(log, keys, to: store)
            let left = store.folder.snapshots(of: harbour) / ".unfinished-1-2"
            try left.createFolder()
            try (left / "availability-ios").writeDurably([1])
            try (store.folder.currents / ".unfinished-1-3").writeDurably([1])
            try store.prepare()
            #expect(try left.status() == nil)
            #expect(try store.folder.currents.entries() == ["harbour"])
            #expect(try store.current(of: harbour) == sequence)
        }
    }
}
