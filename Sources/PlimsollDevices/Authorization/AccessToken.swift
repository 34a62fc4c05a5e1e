import Foundation
import PlimsollDomain
import PlimsollJSON

/// A signed access token as it was sent, before anybody believes it.
struct AccessToken: Sendable {
    let algorithm: String
    let keyID: String?
    /// What the signature is over: the header and the claims, as they were sent.
    let signed: [UInt8]
    let signature: [UInt8]
    private let payload: [UInt8]

    private static let limits = JSONLimits(sizeMaximum: 4096, depthMaximum: 8)

    /// `nil` for what is no JWS in its compact form, or asks for what is not understood here.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard
            parts.count == 3, let head = [UInt8](base64URL: parts[0]),
            let claims = [UInt8](base64URL: parts[1]),
            let signature = [UInt8](base64URL: parts[2]),
            let header = try? JSONValue(parsing: head, limits: Self.limits).object,
            let algorithm = header["alg"]?.string,
            // RFC 7515, 4.1.11: what is critical and not understood makes the whole invalid.
            header["crit"] == nil
        else { return nil }
        switch header["kid"] {
        case nil: keyID = nil
        case .string(let id): keyID = id
        default: return nil
        }
        self.algorithm = algorithm
        self.signature = signature
        payload = claims
        signed = Array("\(parts[0]).\(parts[1])".utf8)
    }

    /// To be read once the signature is good.
    var claims: AccessClaims? { try? JSONDecoder().decode(AccessClaims.self, from: Data(payload)) }
}

/// What is said of whoever has a token, by a signed token or by whoever was asked of one.
struct AccessClaims: Decodable, Sendable {
    let iss: String?
    let sub: String?
    let aud: Audience?
    let exp: Double?
    let nbf: Double?

    /// One, or several.
    struct Audience: Decodable, Sendable {
        let names: [String]

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let name = try? container.decode(String.self) {
                names = [name]
            } else {
                names = try container.decode([String].self)
            }
        }
    }

    /// So many seconds clocks may differ.
    private static let leeway: Double = 30

    /// Whether it is meant for this service, at this time; nothing is asked of what is `nil`.
    func meet(issuer: String?, audience: String?, at now: Instant) -> Bool {
        let seconds = Double(now.millisecondsSince1970) / 1000
        return (issuer == nil || iss == issuer)
            && (audience.map { aud?.names.contains($0) ?? false } ?? true)
            && (exp.map { seconds < $0 + Self.leeway } ?? true)
            && (nbf.map { seconds >= $0 - Self.leeway } ?? true)
    }
}
