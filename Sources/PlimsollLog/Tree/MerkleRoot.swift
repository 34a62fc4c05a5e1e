/// What a whole log says of itself at one size.
package struct MerkleRoot: Hashable, Sendable {
    /// How many entries the tree has.
    package let size: Int
    package let hash: MerkleHash

    package init(size: Int, hash: MerkleHash) {
        precondition(size >= 0, "the size of a tree counts its entries")
        self.size = size
        self.hash = hash
    }

    package static let empty = MerkleRoot(size: 0, hash: .emptyTree)
}
