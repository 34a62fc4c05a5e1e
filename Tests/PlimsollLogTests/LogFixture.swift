import Foundation
import PlimsollLog

/// A log with a key, and a witness with another, whose private halves every test knows.
struct LogFixture {
    let signer: LogSigner
    let cosigner: Cosigner
    let tree: MerkleTree

    init(log: String = "log.example", count: Int = 20) {
        guard
            let signer = try? LogSigner(Self.key(log, .note, seed: 7)),
            let cosigner = try? Cosigner(Self.key("witness.example", .cosignature, seed: 9))
        else { preconditionFailure("the fixture's names and seeds are those of keys") }
        self.signer = signer
        self.cosigner = cosigner
        tree = MerkleTree(leaves: leaves(count))
    }

    var logKey: VerifierKey { signer.verifierKey }
    var witnessKey: VerifierKey { cosigner.verifierKey }
    var trust: LogTrust { LogTrust(logKeys: [logKey]) }

    func signed(size: Int) throws -> SignedCheckpoint {
        try signer.sign(tree.root(size: size))
    }

    /// A checkpoint of another history under the same key.
    func forked(size: Int) throws -> SignedCheckpoint {
        let other = MerkleTree(leaves: leaves(size).map { $0.turning(bit: 0) })
        return try signer.sign(other.root)
    }

    func verified(size: Int) throws -> VerifiedCheckpoint {
        switch try signed(size: size).verification(by: trust) {
        case .verified(let checkpoint): return checkpoint
        case .refused(let refusal): throw refusal
        }
    }

    func key(_ name: String, _ kind: NoteKeyKind, seed: UInt8 = 7) throws -> SignerKey {
        try Self.key(name, kind, seed: seed)
    }

    static func key(_ name: String, _ kind: NoteKeyKind, seed: UInt8) throws -> SignerKey {
        let bytes = [UInt8](repeating: seed, count: 32)
        guard
            let name = KeyName(name), let key = SignerKey(name: name, kind: kind, seed: bytes)
        else { throw KeyTextError.malformed }
        return key
    }
}

extension VerifierKey {
    var idBytes: [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: id.value >> $0) }
    }
}

/// Base64 by somebody else than the module that is tested.
func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

extension CheckpointVerification {
    var isVerified: Bool {
        if case .verified = self { true } else { false }
    }

    var refusal: CheckpointRefusal? {
        if case .refused(let refusal) = self { refusal } else { nil }
    }
}
