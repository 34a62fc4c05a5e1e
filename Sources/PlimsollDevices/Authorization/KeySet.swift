import JWTKit
import PlimsollJSON

/// A JWK Set (RFC 7517), as far as tokens can be checked with it.
struct KeySet: Sendable {
    private struct Key: Sendable {
        let id: String?
        /// What verifies, by the name of the algorithm.
        let verifiers: [String: any JWTAlgorithm]
    }

    private let keys: [Key]

    private static let keysMaximum = 100
    static let bytesMaximum = 256 << 10
    /// An RSA key of 2048 bits takes 342 letters.
    private static let modulusLettersMinimum = 342

    /// What a look for a key finds.
    enum Finding: Sendable {
        case verifier(any JWTAlgorithm)
        /// It has no such key, and a newer set may have.
        case unknown
        /// It has the key, which is for something else.
        case unfit
    }

    /// `nil` for what is no set; keys that are of no use are passed over, as the standard says.
    init?(parsing bytes: [UInt8]) async {
        guard
            let value = try? JSONValue(
                parsing: bytes,
                limits: JSONLimits(sizeMaximum: Self.bytesMaximum)
            ), let list = value["keys"]?.array, list.count <= Self.keysMaximum
        else { return nil }
        var keys: [Key] = []
        for json in list.compactMap(\.object) {
            guard let key = await Self.key(json) else { continue }
            keys.append(key)
        }
        self.keys = keys
    }

    /// The key of that id; where a token names none, the only one for the algorithm.
    func find(_ id: String?, _ algorithm: String) -> Finding {
        guard let id else {
            let verifiers = keys.compactMap { $0.verifiers[algorithm] }
            switch verifiers.count {
            case 0: return .unknown
            case 1: return .verifier(verifiers[0])
            default: return .unfit
            }
        }
        let named = keys.filter { $0.id == id }
        guard !named.isEmpty else { return .unknown }
        let verifier = named.lazy.compactMap { $0.verifiers[algorithm] }.first
        return verifier.map(Finding.verifier) ?? .unfit
    }

    private static func key(_ json: JSONObject) async -> Key? {
        if let use = json["use"], use != "sig" { return nil }
        if let operations = json["key_ops"]?.array, !operations.contains("verify") { return nil }
        var verifiers: [String: any JWTAlgorithm] = [:]
        for name in algorithms(of: json) {
            guard let algorithm = JWK.Algorithm(rawValue: name),
                let key = publicKey(json, algorithm),
                let verifier = await verifier(key, name)
            else { continue }
            verifiers[name] = verifier
        }
        guard !verifiers.isEmpty else { return nil }
        return Key(id: json["kid"]?.string, verifiers: verifiers)
    }

    /// What a key of this kind is for: the set says it, never a token.
    private static func algorithms(of json: JSONObject) -> [String] {
        let fitting: [String] =
            switch (json["kty"]?.string, json["crv"]?.string) {
            case ("RSA", _): ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"]
            case ("EC", "P-256"): ["ES256"]
            case ("EC", "P-384"): ["ES384"]
            case ("EC", "P-521"): ["ES512"]
            case ("OKP", "Ed25519"): ["EdDSA"]
            default: []
            }
        guard let said = json["alg"] else { return fitting }
        return fitting.filter { said == .string($0) }
    }

    private static let label: JWKIdentifier = "key"

    /// Only its public part, even where somebody publishes the other as well.
    private static func publicKey(_ json: JSONObject, _ algorithm: JWK.Algorithm) -> JWK? {
        let text = { (name: String) in json[name]?.string }
        switch json["kty"]?.string {
        case "RSA":
            guard let modulus = text("n"), modulus.utf8.count >= modulusLettersMinimum else {
                return nil
            }
            return .rsa(algorithm, identifier: label, modulus: modulus, exponent: text("e"))
        case "EC":
            let curve = text("crv").flatMap { ECDSACurve(rawValue: $0) }
            return .ecdsa(algorithm, identifier: label, x: text("x"), y: text("y"), curve: curve)
        case "OKP":
            let x = text("x")
            return .octetKeyPair(algorithm, identifier: label, x: x, y: nil, curve: .ed25519)
        default: return nil
        }
    }

    /// A collection of one key each: jwt-kit's falls back to its first key where it knows none of
    /// the name, and a key that says no algorithm keeps that of the first token.
    private static func verifier(_ key: JWK, _ algorithm: String) async -> (any JWTAlgorithm)? {
        let collection = JWTKeyCollection()
        guard (try? await collection.add(jwk: key)) != nil else { return nil }
        return try? await collection.getKey(for: label, alg: algorithm)
    }
}
