import PlimsollLog
import Testing

/// Trees around 65 536 leaves, where the third level of tiles begins.
@Suite struct LargeTreeTests {
    private static let sizes = [65_535, 65_536, 65_537]

    private static let leaves = (0..<65_537).map { number in
        // Leaves need no hashing here: any 32 bytes that differ will do.
        MerkleHash(bytes: [UInt8](repeating: 0, count: 28) + fourBytes(number)) ?? .emptyTree
    }

    private static let tree = MerkleTree(leaves: leaves)

    /// Every place where the tree's shape changes, its neighbours, and some in between.
    private static let places: [Int] = {
        let powers = (0...16).map { 1 << $0 }
        let tiles = [256 * 255, 256 * 256, 256 * 128, 256, 512]
        let edges = (powers + tiles).flatMap { [$0 - 1, $0, $0 + 1] }
        return Set(edges + Array(stride(from: 1, to: 65_537, by: 1_021))).sorted()
    }()

    @Test(arguments: sizes)
    func `the path of every index has the siblings up to the root`(size: Int) {
        let (leaves, tree) = (Self.leaves, Self.tree)
        let faults = (0..<size).count { index in
            let outline = ProofOutline(of: index, in: size)
            var covered = index..<index + 1
            for node in outline.nodes {
                if node.upperBound == covered.lowerBound {
                    covered = node.lowerBound..<covered.upperBound
                } else if node.lowerBound == covered.upperBound {
                    covered = covered.lowerBound..<node.upperBound
                } else {
                    return true
                }
            }
            return covered != 0..<size
        }
        #expect(faults == 0)
        for index in Self.places where index < size {
            let proof = tree.inclusionProof(of: index, size: size)
            #expect(proof.proves(leaves[index], in: tree.root(size: size)), "\(index)")
            #expect(!proof.proves(leaves[index].turning(bit: 255), in: tree.root(size: size)))
        }
    }

    @Test(arguments: sizes)
    func `each of those sizes extends every smaller one`(size: Int) {
        let tree = Self.tree
        let root = tree.root(size: size)
        for old in Self.places where old <= size {
            let proof = tree.consistencyProof(from: old, to: size)
            #expect(proof.proves(root, extends: tree.root(size: old)), "\(old)")
            for place in proof.path.indices {
                var path = proof.path
                path[place] = path[place].turning(bit: old % 256)
                let changed = ConsistencyProof(oldSize: old, newSize: size, path: path)
                #expect(!changed.proves(root, extends: tree.root(size: old)), "\(old) at \(place)")
            }
        }
    }

    private static func fourBytes(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
