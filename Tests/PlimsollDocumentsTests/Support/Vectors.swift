import PlimsollDocuments
import PlimsollDomain
import Testing

/// A key made for these tests alone, and what `openssl dgst -sha256 -sign` made with it.
enum Vectors {
    static let keyIDText = "0a1b2c3d-4e5f-4678-9abc-def012345678"
    static let dateText = "Mon, 03 Aug 2020 22:59:35 UTC"
    static let body = Array(#"{"a":1}"#.utf8)
    static let manifest = Array(#"{"a":1}"#.utf8)

    static let signature =
        "MEQCIEa96NhGAz+PgPW67gUqEq7XvInN7K7WoK/VNkzVoG7yAiBKcoR1LmqeZagHNIF67c/uCqXpZ/tdeCE8XUXL"
        + "ttGMnA=="
    /// The same with s replaced by n − s, which is as good.
    static let flippedSignature =
        "MEUCIEa96NhGAz+PgPW67gUqEq7XvInN7K7WoK/VNkzVoG7yAiEAtY17idGVYZtX+Mt+hRIwEbJBEUWruiZjt1yE"
        + "90WRmLU="
    /// The same as r and s without DER.
    static let rawSignature =
        "Rr3o2EYDP4+A9bruBSoSrte8ic3srtagr9U2TNWgbvJKcoR1LmqeZagHNIF67c/uCqXpZ/tdeCE8XUXLttGMnA=="
    static let manifestSignature =
        "MEUCIDfSIboINV+jmgV0K0dBHMQ9TrqK6mdoX1I/vG07PmcnAiEA2tiyZ0Sa/TfP9c6yesy2z4JUXPzXlh7TxlAN"
        + "z4wqGaA="

    static let publicPEM = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEzkWH/WUiD/fHRBBkscELug7liYmc
        0Afft3Y7ZoKr/irPQQNvvK8whpFFa+GpG8qNig4ljTGrkk7AAxNX4yhFYg==
        -----END PUBLIC KEY-----

        """
    static let otherCurvePEM = """
        -----BEGIN PUBLIC KEY-----
        MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAEeo3G4T/2wRNxcPAAcYMc89wGkv6TERKm
        eld2+tfjJq+kzB6Vc7sYlwnI1+QmEYQtve3doHUx10CHilEQCZCQidAVWis/S9Tt
        Vu/TwVLF3UxfJD/Ri8Fxmx8Jh1ILBeHV
        -----END PUBLIC KEY-----

        """
    static let sec1PEM = """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEIIc65H5qSzy1Xof1dA7QjaF1CNyQdIzpq89HYyUPNlJeoAoGCCqGSM49
        AwEHoUQDQgAEzkWH/WUiD/fHRBBkscELug7liYmc0Afft3Y7ZoKr/irPQQNvvK8w
        hpFFa+GpG8qNig4ljTGrkk7AAxNX4yhFYg==
        -----END EC PRIVATE KEY-----

        """
    static let pkcs8PEM = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQghzrkfmpLPLVeh/V0
        DtCNoXUI3JB0jOmrz0djJQ82Ul6hRANCAATORYf9ZSIP98dEEGSxwQu6DuWJiZzQ
        B9+3djtmgqv+Ks9BA2+8rzCGkUVr4akbyo2KDiWNMauSTsADE1fjKEVi
        -----END PRIVATE KEY-----

        """

    static func keyID() throws -> KeyID { try #require(KeyID(keyIDText)) }

    static func publicKey() throws -> PublicKey { try #require(PublicKey(pem: publicPEM)) }

    static func signer() throws -> ContentSigner {
        try ContentSigner(keyID: keyID(), pem: Array(pkcs8PEM.utf8))
    }

    static func keys(app: AppSlug? = nil) throws -> TrustedKeys {
        TrustedKeys([.init(id: try keyID(), app: app, publicKey: try publicKey())])
    }

    static func header(
        keyID: String = keyIDText,
        signature: String = signature
    ) -> String {
        #"keyId="\#(keyID)",signature="\#(signature)""#
    }
}
