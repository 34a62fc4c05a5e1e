import PlimsollLog
import Testing

@Suite struct ProofTests {
    private static let count = 300

    @Test(arguments: parts)
    func `every inclusion proof is the defined one and proves its leaf alone`(sizes: Sizes) {
        let leaves = leaves(Self.count)
        var naive = NaiveTree(leaves: leaves)
        let tree = MerkleTree(leaves: leaves)
        var faults: [String] = []
        for size in sizes {
            let root = tree.root(size: size)
            for index in 0..<size {
                let proof = tree.inclusionProof(of: index, size: size)
                if proof.path != naive.path(index, 0..<size) {
                    faults.append("\(index) of \(size)")
                }
                if !proof.proves(leaves[index], in: root) { faults.append("\(index) in \(size)") }
            }
        }
        #expect(faults == [])
    }

    @Test(arguments: parts)
    func `every consistency proof is the defined one and proves its roots`(sizes: Sizes) {
        let leaves = leaves(Self.count)
        var naive = NaiveTree(leaves: leaves)
        let tree = MerkleTree(leaves: leaves)
        let roots = (0...Self.count).map(tree.root(size:))
        var faults: [String] = []
        for new in sizes {
            for old in 1...new {
                let proof = tree.consistencyProof(from: old, to: new)
                if proof.path != naive.proof(old, 0..<new) { faults.append("\(old) to \(new)") }
                if !proof.proves(roots[new], extends: roots[old]) {
                    faults.append("\(new) over \(old)")
                }
            }
        }
        #expect(faults == [])
    }

    @Test func `a proof proves no other leaf and no other index`() {
        let leaves = leaves(64)
        let tree = MerkleTree(leaves: leaves)
        for size in 1...64 {
            let root = tree.root(size: size)
            for index in 0..<size {
                let proof = tree.inclusionProof(of: index, size: size)
                #expect(!proof.proves(.leaf([0xFF]), in: root))
                let beside = InclusionProof(index: index + 1, size: size, path: proof.path)
                #expect(!beside.proves(leaves[index], in: root))
            }
        }
    }

    typealias Sizes = StrideThrough<Int>

    /// Sizes from 1 to the count in parts of about the same work, which run side by side.
    private static let parts = (1...4).map { stride(from: $0, through: count, by: 4) }

    @Test func `the empty tree is the beginning of every tree, and of nothing else`() {
        let tree = MerkleTree(leaves: leaves(5))
        let proof = tree.consistencyProof(from: 0, to: 5)
        #expect(proof.proves(tree.root, extends: .empty))
        let another = MerkleRoot(size: 0, hash: .leaf([]))
        #expect(!proof.proves(tree.root, extends: another))
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
}
