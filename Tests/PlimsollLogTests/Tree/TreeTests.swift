import PlimsollLog
import Testing

@Suite struct TreeTests {
    @Test func `every root is what the definition says`() {
        let leaves = leaves(64)
        var naive = NaiveTree(leaves: leaves)
        let tree = MerkleTree(leaves: leaves)
        var frontier = MerkleFrontier()
        for size in 1...64 {
            frontier.append(leaf: leaves[size - 1])
            let root = naive.root(0..<size)
            #expect(frontier.root == MerkleRoot(size: size, hash: root))
            #expect(tree.root(size: size) == frontier.root)
        }
    }

    @Test func `a stored frontier goes on where it stopped`() throws {
        var whole = MerkleFrontier()
        for (index, leaf) in leaves(64).enumerated() {
            var restored = try #require(
                MerkleFrontier(size: whole.size, bytes: whole.bytes),
                "at \(index)"
            )
            #expect(restored == whole)
            whole.append(leaf: leaf)
            restored.append(leaf: leaf)
            #expect(restored.root == whole.root)
        }
    }

    @Test func `a hash is read from its 64 digits and nothing else`() {
        let hash = leaves(1)[0]
        #expect(MerkleHash(hex: hash.description) == hash)
        let rest = String(repeating: "0", count: 62)
        #expect(MerkleHash(hex: "00\(rest)") != nil)
        for pair in ["+0", "-0", "0x", " 0", "0", "000", "g0", "é"] {
            #expect(MerkleHash(hex: pair + rest) == nil, "\(pair)")
        }
    }

    @Test func `a frontier that cannot be is refused`() {
        let hashes = leaves(3)
        #expect(MerkleFrontier(size: 3, hashes: hashes) == nil)
        #expect(MerkleFrontier(size: 0, hashes: hashes) == nil)
        #expect(MerkleFrontier(size: -1, hashes: hashes) == nil)
        #expect(MerkleFrontier(size: 7, hashes: hashes) != nil)
        #expect(MerkleFrontier(size: 1, bytes: [1, 2, 3]) == nil)
        #expect(MerkleFrontier(size: 1, bytes: []) == nil)
        #expect(MerkleFrontier(size: 0, bytes: []) == MerkleFrontier())
    }

    @Test func `a hash is made of 32 bytes only`() {
        let hash = MerkleHash.leaf([1])
        #expect(MerkleHash(bytes: hash.bytes) == hash)
        #expect(MerkleHash(bytes: hash.bytes.dropLast()) == nil)
        #expect(MerkleHash(bytes: hash.bytes + [0]) == nil)
        #expect(MerkleHash(bytes: []) == nil)
    }

    @Test func `a leaf is not a node with the same bytes`() {
        let (left, right) = (MerkleHash.leaf([1]), MerkleHash.leaf([2]))
        #expect(MerkleHash.leaf(left.bytes + right.bytes) != .node(left, right))
        #expect(MerkleHash.node(left, right) != .node(right, left))
    }

    @Test func `a proof beyond the tree is a mistake of the program`() async {
        await #expect(processExitsWith: .failure) {
            _ = MerkleTree(leaves: [.leaf([])]).inclusionProof(of: 1, size: 1)
        }
        await #expect(processExitsWith: .failure) {
            _ = MerkleTree(leaves: [.leaf([])]).consistencyProof(from: 1, to: 2)
        }
    }
}
