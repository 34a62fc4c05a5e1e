import Crypto
import Foundation
import PlimsollDevices
import PlimsollDomain
import Testing

let keyID = "2b5f1c3e-94a7-4d0b-8b57-6f2f0e9b1a77"
let otherKeyID = "7C0D5B5E-1111-4222-8333-0123456789AB"

/// The parts of a token, taken apart without any code of ours.
struct TakenApart {
    let header: String
    let claims: String
    let signature: Data
    let signed: Data

    init(_ token: String) throws {
        let parts = token.components(separatedBy: ".")
        try #require(parts.count == 3)
        header = String(decoding: try Self.bytes(parts[0]), as: UTF8.self)
        claims = String(decoding: try Self.bytes(parts[1]), as: UTF8.self)
        signature = try Self.bytes(parts[2])
        signed = Data("\(parts[0]).\(parts[1])".utf8)
    }

    var members: [String: Any] {
        get throws {
            let object = try JSONSerialization.jsonObject(with: Data(claims.utf8))
            return try #require(object as? [String: Any])
        }
    }

    func isSigned(by key: P256.Signing.PublicKey) -> Bool {
        guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else {
            return false
        }
        return key.isValidSignature(signature, for: SHA256.hash(data: signed))
    }

    static func bytes(_ text: String) throws -> Data {
        let standard = text.replacingOccurrences(of: "-", with: "+")
            .replacingOccurrences(of: "_", with: "/")
        let filled = standard + String(repeating: "=", count: (4 - standard.count % 4) % 4)
        return try #require(Data(base64Encoded: filled))
    }
}

func base64URL(_ bytes: some DataProtocol) -> String {
    Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-")
        .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
}

func place(_ text: String) throws -> TokenKeyPlace { try #require(TokenKeyPlace(text)) }

/// A keyring whose keys are in variables.
func keyring(
    _ places: [String],
    _ variables: [String: String],
    now: Instant
) throws -> TokenKeyring {
    try TokenKeyring(try places.map(place), now: now) { variables[$0] }
}
