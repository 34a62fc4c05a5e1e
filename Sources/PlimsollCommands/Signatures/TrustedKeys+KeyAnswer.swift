import PlimsollAPI
import PlimsollDocuments

extension TrustedKeys {
    /// Whatever of them is a public key.
    init(_ answers: [KeyAnswer]) {
        self.init(
            answers.compactMap { key in
                PublicKey(pem: key.publicKey).map {
                    Key(id: key.id, app: key.app, publicKey: $0)
                }
            }
        )
    }
}
