import Crypto
import Foundation

/// What the Android app does with the headers and the document, written from its behaviour and
/// sharing nothing with the code under test.
struct AndroidRules {
    let keys: [String: P256.Signing.PublicKey]

    func accepts(_ header: String, date: String, body: [UInt8]) -> Bool {
        guard
            let match = header.wholeMatch(of: /keyId="(.+)",signature="(.+)"/),
            let key = keys[String(match.1)], let der = decode(String(match.2)),
            let signature = try? P256.Signing.ECDSASignature(derRepresentation: der)
        else { return false }
        return key.isValidSignature(signature, for: Array(date.utf8) + [0x3A] + body)
    }

    /// Java's basic decoder: the standard alphabet, padding optional.
    private func decode(_ text: String) -> Data? {
        let missing = text.hasSuffix("=") ? 0 : (4 - text.utf8.count % 4) % 4
        return Data(base64Encoded: text + String(repeating: "=", count: missing))
    }

    func decode(_ body: [UInt8]) throws -> Payload {
        try JSONDecoder().decode(Payload.self, from: Data(body))
    }

    /// What the first app did: every text is in British English.
    func decodeFirst(_ body: [UInt8]) throws -> FirstPayload {
        try JSONDecoder().decode(FirstPayload.self, from: Data(body))
    }

    /// What apps did before there was a recommendation.
    func decodeSecond(_ body: [UInt8]) throws -> SecondPayload {
        try JSONDecoder().decode(SecondPayload.self, from: Data(body))
    }

    struct FirstPayload: Decodable, Equatable {
        let minimumSDKVersion: FirstMinimum
        let minimumAppVersion: FirstMinimum
    }

    struct FirstMinimum: Decodable, Equatable {
        let value: Int32
        let description: British
    }

    struct British: Decodable, Equatable {
        let text: String

        enum CodingKeys: String, CodingKey { case text = "en-GB" }
    }

    struct SecondPayload: Decodable, Equatable {
        let minimumSDKVersion: Minimum
        let minimumAppVersion: Minimum
    }

    struct Payload: Decodable, Equatable {
        let minimumSDKVersion: Minimum
        let minimumAppVersion: Minimum
        let recommendedAppVersion: Recommendation
    }

    struct Minimum: Decodable, Equatable {
        let value: Int32
        let description: [String: String]
    }

    struct Recommendation: Decodable, Equatable {
        let value: Int32
        let title: [String: String]
        let description: [String: String]
    }
}
