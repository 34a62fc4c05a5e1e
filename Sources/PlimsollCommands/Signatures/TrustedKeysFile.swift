import PlimsollDocuments
import PlimsollDomain

/// Keys that a person trusts, in a file: one as PEM, or several as `keys.json`.
func trustedKeys(in path: String, for signedWith: KeyID) throws -> TrustedKeys {
    let bytes = try contents(of: path)
    if let publicKey = PublicKey(pem: bytes) {
        // A PEM has no id of its own: whoever gives it says that it is the one that signed.
        return TrustedKeys([TrustedKeys.Key(id: signedWith, publicKey: publicKey)])
    }
    do {
        return TrustedKeys(try PublishedKeys(parsing: bytes))
    } catch {
        throw Failure(
            .failed,
            "\(path) is neither a P-256 public key in PEM nor a keys.json.",
            next: "plimsoll keys show"
        )
    }
}
