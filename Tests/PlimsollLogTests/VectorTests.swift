import PlimsollLog
import Testing

@Suite struct VectorTests {
    private let entries = ReferenceVectors.entries

    private let roots = [
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
        "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
        "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
        "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
        "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
    ]

    @Test func `the empty tree has the hash of nothing`() {
        #expect(
            MerkleFrontier().root.hash.description
                == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        )
        #expect(MerkleTree().root == .empty)
    }

    @Test func `each root is the known one`() {
        var frontier = MerkleFrontier()
        var tree = MerkleTree()
        for (entry, root) in zip(entries, roots) {
            frontier.append(entry: entry)
            tree.append(leaf: .leaf(entry))
            #expect(frontier.root.hash.description == root)
            #expect(tree.root == frontier.root)
        }
    }

    @Test(arguments: [
        (0, 8, "96a296d2 5f083f0a 6b47aaf2"), (5, 8, "bc1a0643 ca854ea1 d37ee418"),
        (2, 3, "fac54203"), (1, 5, "6e340b9c 5f083f0a bc1a0643"), (6, 7, "0ebc5d34 d37ee418"),
    ])
    func `each inclusion proof is the known one`(index: Int, size: Int, path: String) {
        let tree = MerkleTree(leaves: entries.map(MerkleHash.leaf))
        #expect(beginnings(tree.inclusionProof(of: index, size: size).path) == path)
    }

    @Test(arguments: [
        (1, 8, "96a296d2 5f083f0a 6b47aaf2"), (6, 8, "0ebc5d34 ca854ea1 d37ee418"),
        (2, 5, "5f083f0a bc1a0643"), (3, 7, "0298d122 07506a85 fac54203 837dbb15"),
        (4, 8, "6b47aaf2"),
    ])
    func `each consistency proof is the known one`(old: Int, new: Int, path: String) {
        let tree = MerkleTree(leaves: entries.map(MerkleHash.leaf))
        #expect(beginnings(tree.consistencyProof(from: old, to: new).path) == path)
    }

    @Test func `the checkpoint of the reference is read, verified and written again`() throws {
        let key = try VerifierKey(parsing: ReferenceVectors.verifierKey)
        let written = bytes(ReferenceVectors.checkpoint)
        let signed = try SignedCheckpoint(parsing: written)
        #expect(signed.checkpoint.origin.text == "config.example.com/log")
        #expect(signed.checkpoint.root == MerkleTree(leaves: entries.map(MerkleHash.leaf)).root)
        #expect(signed.bytes == written)
        #expect(signed.verification(by: LogTrust(logKeys: [key])).isVerified)
    }

    @Test func `the cosignature of the reference is verified`() throws {
        let log = try VerifierKey(parsing: ReferenceVectors.verifierKey)
        let name = try #require(KeyName("witness.example.com/w"))
        let witness = try #require(
            VerifierKey(name: name, kind: .cosignature, publicKey: log.publicKey)
        )
        let lines = try NoteSignature.parse(bytes(ReferenceVectors.cosignature))
        let signed = try SignedCheckpoint(parsing: bytes(ReferenceVectors.checkpoint))
        let trust = LogTrust(logKeys: [log], witnesses: [witness], witnessesNeeded: 1)
        let verification = try signed.adding(lines).verification(by: trust)
        guard case .verified(let checkpoint) = verification else {
            Issue.record("refused: \(verification)")
            return
        }
        #expect(checkpoint.cosignatures.map(\.key) == [witness])
        #expect(checkpoint.cosignatures.map(\.posixSeconds) == [ReferenceVectors.cosignedAt])
    }

    private func beginnings(_ hashes: [MerkleHash]) -> String {
        hashes.map { String($0.description.prefix(8)) }.joined(separator: " ")
    }
}
