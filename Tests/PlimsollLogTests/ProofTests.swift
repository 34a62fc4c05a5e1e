import PlimsollLog
import Testing

@Suite struct ProofTests {
    private let count = 64

    @Test func `every inclusion proof is the defined one and proves its leaf alone`() {
        let leaves = leaves(count)
        let naive = NaiveTree(leaves: leaves)
        let tree = MerkleTree(leaves: leaves)
        for size in 1...count {
            let root = tree.root(size: size)
            for index in 0..<size {
                let proof = tree.inclusionProof(of: index, size: size)
                #expect(proof.path == naive.path(index, 0..<size))
                #expect(proof.proves(leaves[index], in: root))
                #expect(!proof.proves(.leaf([0xFF]), in: root))
                let beside = InclusionProof(index: index + 1, size: size, path: proof.path)
                #expect(!beside.proves(leaves[index], in: root))
            }
        }
    }

    @Test func `every consistency proof is the defined one and proves its roots`() {
        let leaves = leaves(count)
        let naive = NaiveTree(leaves: leaves)
        let tree = MerkleTree(leaves: leaves)
        for new in 1...count {
            for old in 1...new {
                let proof = tree.consistencyProof(from: old, to: new)
                #expect(proof.path == naive.proof(old, 0..<new))
                #expect(proof.proves(tree.root(size: new), extends: tree.root(size: old)))
            }
        }
    }

    @Test func `the empty tree is the beginning of every tree, and of nothing else`() {
        let tree = MerkleTree(leaves: leaves(5))
        let proof = tree.consistencyProof(from: 0, to: 5)
        #expect(proof.proves(tree.root, extends: .empty))
        let another = MerkleRoot(size: 0, hash: .leaf([]))
        #expect(!proof.proves(tree.root, extends: another))
    }

    @Test func `a proof with a changed, missing or added hash proves nothing`() {
        let leaves = leaves(count)
        let tree = MerkleTree(leaves: leaves)
        let root = tree.root
        for index in 0..<count {
            for path in damaged(tree.inclusionProof(of: index, size: count).path) {
                let proof = InclusionProof(index: index, size: count, path: path)
                #expect(!proof.proves(leaves[index], in: root))
            }
        }
        for old in 1..<count {
            for path in damaged(tree.consistencyProof(from: old, to: count).path) {
                let proof = ConsistencyProof(oldSize: old, newSize: count, path: path)
                #expect(!proof.proves(root, extends: tree.root(size: old)))
            }
        }
    }

    @Test func `a rewritten entry breaks consistency with every tree that had it`() {
        let honest = MerkleTree(leaves: leaves(20))
        var forged = leaves(20)
        forged[7] = .leaf([0xFF])
        let fork = MerkleTree(leaves: forged)
        for old in 1..<20 {
            let proof = fork.consistencyProof(from: old, to: 20)
            #expect(proof.proves(fork.root, extends: honest.root(size: old)) == (old <= 7))
        }
    }

    @Test func `sizes that do not fit prove nothing`() {
        let tree = MerkleTree(leaves: leaves(8))
        let inclusion = tree.inclusionProof(of: 3, size: 8)
        #expect(!inclusion.proves(leaves(8)[3], in: tree.root(size: 7)))
        let negative = InclusionProof(index: -1, size: 8, path: inclusion.path)
        #expect(!negative.proves(leaves(8)[3], in: tree.root))
        let backwards = ConsistencyProof(oldSize: 8, newSize: 4, path: [])
        #expect(!backwards.proves(tree.root(size: 4), extends: tree.root))
        let same = ConsistencyProof(oldSize: 8, newSize: 8, path: [])
        #expect(same.proves(tree.root, extends: tree.root))
        #expect(!same.proves(MerkleRoot(size: 8, hash: .leaf([])), extends: tree.root))
    }

    private func damaged(_ path: [MerkleHash]) -> [[MerkleHash]] {
        var paths = [path + [.leaf([])], path + (path.last.map { [$0] } ?? [.emptyTree])]
        for index in path.indices {
            var changed = path
            changed[index] = .leaf([])
            var shortened = path
            shortened.remove(at: index)
            paths += [changed, shortened]
        }
        return paths
    }
}
