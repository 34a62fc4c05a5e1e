import PlimsollLog
import Testing

@Suite struct DamagedProofTests {
    @Test(arguments: 1...9)
    func `every bit of an inclusion proof matters`(size: Int) {
        let leaves = leaves(size)
        let tree = MerkleTree(leaves: leaves)
        for index in 0..<size {
            let proof = tree.inclusionProof(of: index, size: size)
            let faults = turned(proof.path).count { path in
                InclusionProof(index: index, size: size, path: path)
                    .proves(leaves[index], in: tree.root)
            }
            #expect(faults == 0)
        }
    }

    @Test(arguments: 1...9)
    func `every bit of a consistency proof matters`(size: Int) {
        let tree = MerkleTree(leaves: leaves(size))
        for old in 1...size {
            let proof = tree.consistencyProof(from: old, to: size)
            let faults = turned(proof.path).count { path in
                ConsistencyProof(oldSize: old, newSize: size, path: path)
                    .proves(tree.root, extends: tree.root(size: old))
            }
            #expect(faults == 0)
        }
    }

    @Test func `every hash of a long proof matters, and so do their number and order`() {
        let leaves = leaves(300)
        let tree = MerkleTree(leaves: leaves)
        for size in [255, 256, 257, 300] {
            let root = tree.root(size: size)
            for index in stride(from: size - 1, through: 0, by: -13) {
                let proof = tree.inclusionProof(of: index, size: size)
                let faults = rearranged(proof.path, bit: index % 256).count { path in
                    InclusionProof(index: index, size: size, path: path)
                        .proves(leaves[index], in: root)
                }
                #expect(faults == 0, "\(index) of \(size)")
            }
            for old in stride(from: size, to: 0, by: -13) {
                let proof = tree.consistencyProof(from: old, to: size)
                let faults = rearranged(proof.path, bit: old % 256).count { path in
                    ConsistencyProof(oldSize: old, newSize: size, path: path)
                        .proves(root, extends: tree.root(size: old))
                }
                #expect(faults == 0, "\(old) to \(size)")
            }
        }
    }

    @Test func `a proof proves no root of another size, and no old root but its own`() {
        let leaves = leaves(40)
        let tree = MerkleTree(leaves: leaves)
        for old in 1..<40 {
            let proof = tree.consistencyProof(from: old, to: 40)
            for other in 0...40 where other != old {
                #expect(!proof.proves(tree.root, extends: tree.root(size: other)))
                let renamed = MerkleRoot(size: old, hash: tree.root(size: other).hash)
                #expect(!proof.proves(tree.root, extends: renamed))
            }
        }
    }

    @Test func `a size as large as a number can be is refused like any other`() {
        let largest = MerkleRoot(size: .max, hash: .leaf([]))
        let path = leaves(63)
        let inclusion = InclusionProof(index: .max - 1, size: .max, path: path)
        #expect(!inclusion.proves(.leaf([]), in: largest))
        let consistency = ConsistencyProof(oldSize: .max - 1, newSize: .max, path: path)
        #expect(!consistency.proves(largest, extends: MerkleRoot(size: .max - 1, hash: .leaf([]))))
    }

    private func turned(_ path: [MerkleHash]) -> [[MerkleHash]] {
        path.indices.flatMap { place in
            (0..<256).map { bit in
                var changed = path
                changed[place] = changed[place].turning(bit: bit)
                return changed
            }
        }
    }

    /// Longer, shorter, doubled, swapped, and one bit of every hash turned over.
    private func rearranged(_ path: [MerkleHash], bit: Int) -> [[MerkleHash]] {
        var paths = [path + [.leaf([])], [.leaf([])] + path]
        if !path.isEmpty { paths.append(path + path) }
        for place in path.indices {
            var (changed, shorter, doubled, swapped) = (path, path, path, path)
            changed[place] = changed[place].turning(bit: bit)
            shorter.remove(at: place)
            doubled.insert(path[place], at: place)
            paths += [changed, shorter, doubled]
            guard place > 0 else { continue }
            swapped.swapAt(place, place - 1)
            paths.append(swapped)
        }
        return paths
    }
}
