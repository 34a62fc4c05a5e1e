import Foundation
import PlimsollDomain
import PlimsollJSON

/// Where a private key is that no file here holds: a file beside the others says so.
///
/// It has the public half too, so that what the key has signed is believed while its keeper is
/// away.
struct KeyNote: Equatable, Sendable {
    enum Keeper: Equatable, Sendable {
        case environment(EnvironmentName)
        case service(KeyServiceName)
    }

    let keeper: Keeper
    /// The SubjectPublicKeyInfo, DER.
    let publicKey: [UInt8]

    private static let limits = JSONLimits(sizeMaximum: 4096)

    init(_ keeper: Keeper, publicKey: [UInt8]) {
        self.keeper = keeper
        self.publicKey = publicKey
    }

    var bytes: [UInt8] {
        var json: JSONObject = ["publicKey": .string(Data(publicKey).base64EncodedString())]
        switch keeper {
        case .environment(let name): json["environment"] = .string(name.text)
        case .service(let name): json["keyService"] = .string(name.text)
        }
        return json.canonicalBytes()
    }

    init(parsing bytes: [UInt8]) throws(JSONIssues) {
        var reader = try ObjectReader(parsing: bytes, limits: Self.limits)
        let environment = reader.optionalString(
            "environment",
            needing: EnvironmentName.grammar,
            EnvironmentName.init
        )
        let service = reader.optionalString(
            "keyService",
            needing: KeyServiceName.grammar,
            KeyServiceName.init
        )
        let publicKey = reader.string("publicKey", needing: "base64") {
            Data(base64Encoded: $0).map(Array.init)
        }
        if (environment == nil) == (service == nil) {
            reader.refuse("keyService", "Either this or environment is needed.")
        }
        let keeper = environment.map(Keeper.environment) ?? service.map(Keeper.service)
        self = try reader.finish {
            guard let keeper, let publicKey else { return nil as KeyNote? }
            return KeyNote(keeper, publicKey: publicKey)
        }
    }
}
