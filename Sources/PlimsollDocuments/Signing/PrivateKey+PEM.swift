package import Crypto

extension P256.Signing.PrivateKey {
    /// Reads the one private key in a text; what stands around it, such as the parameters of the
    /// curve that `openssl ecparam` writes in front, is passed over.
    package init?(pem text: String) {
        let blocks = text.split(separator: "-----BEGIN ").compactMap { block -> String? in
            guard let label = block.split(separator: "-----", maxSplits: 1).first,
                ["EC PRIVATE KEY", "PRIVATE KEY"].contains(label),
                let end = block.firstRange(of: "-----END \(label)-----")
            else { return nil }
            return "-----BEGIN " + block[..<end.upperBound]
        }
        guard blocks.count == 1, let key = try? Self(pemRepresentation: blocks[0]) else {
            return nil
        }
        self = key
    }
}
