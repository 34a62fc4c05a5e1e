extension MerkleHash {
    /// Takes the hash from the 44 letters of its base64.
    init?(base64 text: some BidirectionalCollection<UInt8>) {
        guard let bytes = Base64.decode(text) else { return nil }
        self.init(bytes: bytes)
    }

    var base64: [UInt8] { Base64.encode(bytes) }
}
