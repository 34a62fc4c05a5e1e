import Crypto
import Foundation

/// What the iOS app does with the headers and the document, written from its behaviour and
/// sharing nothing with the code under test.
struct AppleRules {
    let keyID: String
    let key: P256.Signing.PublicKey

    func accepts(_ header: String, date: String, body: [UInt8]) -> Bool {
        let parts = header.split(separator: ",", omittingEmptySubsequences: false)
        guard
            parts.count == 2, quoted(parts[0], named: "keyId") == keyID,
            let base64 = quoted(parts[1], named: "signature"),
            let der = Data(base64Encoded: base64),
            let signature = try? P256.Signing.ECDSASignature(derRepresentation: der)
        else { return false }
        return key.isValidSignature(signature, for: Array(date.utf8) + [0x3A] + body)
    }

    /// Its scanner skips blanks before each part.
    private func quoted(_ part: Substring, named name: String) -> String? {
        let text = String(part.drop { $0 == " " })
        guard text.hasPrefix("\(name)=\""), text.hasSuffix("\"") else { return nil }
        return String(text.dropFirst(name.count + 2).dropLast())
    }

    func decode(_ body: [UInt8]) throws -> Payload {
        try JSONDecoder().decode(Payload.self, from: Data(body))
    }

    /// What the apps did before there were recommendations.
    func decodeFirst(_ body: [UInt8]) throws -> FirstPayload {
        try JSONDecoder().decode(FirstPayload.self, from: Data(body))
    }

    struct FirstPayload: Decodable, Equatable {
        let minimumOSVersion: Minimum
        let minimumAppVersion: Minimum
    }

    struct Payload: Decodable, Equatable {
        let minimumOSVersion: Minimum
        let recommendedOSVersion: Recommendation
        let minimumAppVersion: Minimum
        let recommendedAppVersion: Recommendation
    }

    struct Minimum: Decodable, Equatable {
        let value: Version
        let description: Texts
    }

    struct Recommendation: Decodable, Equatable {
        let value: Version
        let title: Texts
        let description: Texts
    }

    /// One to three whole numbers.
    struct Version: Decodable, Equatable {
        let numbers: [Int]

        init(from decoder: any Decoder) throws {
            let text = try decoder.singleValueContainer().decode(String.self)
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            numbers = parts.compactMap { Int($0) }
            guard (1...3).contains(parts.count), numbers.count == parts.count else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: text)
                )
            }
        }
    }

    /// The app keys a dictionary by locale, and two keys of one locale end it.
    struct Texts: Decodable, Equatable {
        let texts: [String: String]

        init(from decoder: any Decoder) throws {
            texts = try decoder.singleValueContainer().decode([String: String].self)
            let locales = texts.keys.map { $0.lowercased().replacing("_", with: "-") }
            guard Set(locales).count == locales.count else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: "two of one locale")
                )
            }
        }
    }
}
