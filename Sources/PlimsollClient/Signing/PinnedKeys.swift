import Crypto
public import Foundation

/// The public keys that an app trusts, by id.
///
/// Ship them with the app; never fetch them at run time. Pin the key that signs today and the one
/// that comes after it, so that the service can change keys without cutting this app off.
public struct PinnedKeys: Sendable {
    private let keys: [String: P256.Signing.PublicKey]

    /// Takes keys in PEM, as `/distribution/keys/{id}.pem` serves them, by their ids.
    ///
    /// - Throws: ``AvailabilityError/Code/configurationWrong`` where there is no key, or one is no
    ///   P-256 public key in PEM.
    public init(pem: [String: String]) throws(AvailabilityError) {
        var keys: [String: P256.Signing.PublicKey] = [:]
        for (id, text) in pem {
            guard let key = try? P256.Signing.PublicKey(pemRepresentation: text) else {
                throw Self.wrong("The key \(id) is no P-256 public key in PEM.")
            }
            keys[id] = key
        }
        guard !keys.isEmpty else { throw Self.wrong("There is no key to trust.") }
        self.keys = keys
    }

    /// Takes the keys of one app from a copy of the service's `keys.json`.
    ///
    /// Trusted are those that sign or are going to; what is retired or compromised is not.
    ///
    /// - Throws: ``AvailabilityError/Code/configurationWrong`` where the file cannot be read, or
    ///   has no such key of the app.
    public init(keysFile: Data, app: String) throws(AvailabilityError) {
        guard
            let file = try? JSONReader.object(in: keysFile), case .array(let list)? = file["keys"]
        else { throw Self.wrong("The file is no keys.json.") }
        var pem: [String: String] = [:]
        for case .object(let key) in list where key["app"] == .string(app) {
            guard
                case .string(let id)? = key["id"], case .string(let text)? = key["publicKey"],
                case .string(let state)? = key["state"]
            else { throw Self.wrong("The file is no keys.json.") }
            if ["added", "active"].contains(state) { pem[id] = text }
        }
        try self.init(pem: pem)
    }

    /// The ids of the keys, in order.
    public var ids: [String] { keys.keys.sorted() }

    subscript(id: String) -> P256.Signing.PublicKey? { keys[id] }

    private static func wrong(_ sentence: String) -> AvailabilityError {
        AvailabilityError(.configurationWrong, sentence)
    }
}
