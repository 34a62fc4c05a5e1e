import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain

extension TrustedKeys {
    /// Whatever of them is a public key and not compromised.
    init(_ answers: [KeyAnswer]) {
        self.init(
            answers.compactMap { key in
                PublicKey(pem: key.publicKey).map {
                    Key(id: key.id, app: key.app, publicKey: $0)
                }
            },
            revoked: Set(answers.filter { $0.state == .compromised }.map(\.id))
        )
    }
}
