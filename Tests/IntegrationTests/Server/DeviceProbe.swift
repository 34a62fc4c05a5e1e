import Crypto
import Foundation
import PlimsollJSON
import PlimsollTestSupport
import Testing

/// A device that installs from the marketplace of `market.example.com`, as far as a listener sees it.
struct DeviceProbe: Sendable {
    /// Of whoever answers, without encryption.
    let address: String

    static let host = "market.example.com"

    struct Reply: Sendable {
        let status: Int
        let json: JSONObject

        init(onWire text: String) throws {
            let parts = text.split(separator: "\r\n\r\n", maxSplits: 1)
            let status = parts.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
            let body = Array(String(parts.dropFirst().first ?? "").utf8)
            self.status = try #require(status, "\(text)")
            json = try #require(try JSONValue(parsing: body).object, "\(text)")
        }

        /// The AppleVersionIDs that are offered.
        var versions: [String] {
            (json["restores"] ?? json["updates"])?.array?
                .compactMap { $0["appleVersionId"]?.string } ?? []
        }

        var tokens: [String] {
            (json["restores"] ?? json["updates"])?.array?
                .compactMap { $0["installVerificationToken"]?.string } ?? []
        }

        /// Why nothing is offered of the first app.
        var failure: String? {
            json["failures"]?.array?.first?["failure"]?["description"]?.string
        }
    }

    static func body(_ version: String, os: String = "18.0") -> String {
        #"{"apps":[{"appleItemId":"10737747186","appleVersionId":"\#(version)"}],"#
            + #""platform":"iOS","osVersion":"\#(os)"}"#
    }

    func ask(_ path: String, _ version: String) async throws -> Reply {
        try Reply(onWire: try await exchange([(path, Self.body(version))]))
    }

    /// What is answered to whoever asks for a file, as it stood on the wire.
    func file(_ path: String) async throws -> String {
        try await RawClient.connect(to: address).exchange(
            "GET \(path) HTTP/1.1\r\nHost: \(Self.host)\r\nConnection: close\r\n\r\n"
        )
    }

    /// All answers to requests on one connection, as they stood on the wire.
    func exchange(_ posts: [(path: String, body: String)]) async throws -> String {
        let requests = posts.map { path, body in
            "POST \(path) HTTP/1.1\r\nHost: \(Self.host)\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        }
        return try await RawClient.connect(to: address)
            .exchange(requests.joined(), hangingUp: true)
    }

    /// The claims of a token that the key has signed.
    static func claims(_ token: String, by key: P256.Signing.PublicKey) throws -> JSONObject {
        let parts = token.split(separator: ".").map(String.init)
        try #require(parts.count == 3)
        let raw = try #require(Data(base64URL: parts[2]))
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: raw)
        let signed = Data("\(parts[0]).\(parts[1])".utf8)
        try #require(key.isValidSignature(signature, for: SHA256.hash(data: signed)))
        let claims = Array(try #require(Data(base64URL: parts[1])))
        return try #require(try JSONValue(parsing: claims).object)
    }
}

extension Data {
    fileprivate init?(base64URL text: String) {
        let standard = text.replacing("-", with: "+").replacing("_", with: "/")
        self.init(
            base64Encoded: standard
                + String(repeating: "=", count: (4 - standard.count % 4) % 4)
        )
    }
}
