import Foundation
import PlimsollDocuments
import PlimsollDomain
import PlimsollJSON

/// The keys of the sample app at a running service, and what its edge serves of them.
struct KeyBench {
    private let admin: Person
    private let edge: HTTPConnection

    private static let app = "/distribution/harbour"
    private static let name = "availability-ios"

    init(_ service: RunningService) throws {
        admin = Person(
            token: try service.adminToken,
            connection: try HTTPConnection(port: service.rest)
        )
        edge = try HTTPConnection(port: service.edge)
    }

    /// Where phones ask that were shipped long ago.
    var documents: String { "\(Self.app)/\(Self.name)" }

    func documents(of key: KeyID) -> String { "\(Self.app)/keys/\(key)/\(Self.name)" }

    /// The key that signs for those who name none.
    func leader() throws -> KeyID {
        let header = try edge.send("GET", documents).fields["x-amz-meta-signature"]
        let id = header?.split(separator: "\"").dropFirst().first
        return try known(id.flatMap { KeyID(String($0)) }, "a key that leads")
    }

    func add() throws -> KeyID {
        let key = try admin.send("POST", "/v1/apps/harbour/keys", [:])
        return try known(key["id"]?.string.flatMap { KeyID($0) }, "a key")
    }

    func activate(_ key: KeyID) throws {
        let seen = try known(
            try admin.send("GET", "/v1/keys/\(key)")["position"]?.integer,
            "the position of a key"
        )
        _ = try admin.send(
            "POST",
            "/v1/keys/\(key)/activate",
            [:],
            fields: [("If-Match", "\"\(seen)\"")]
        )
    }

    func compromise(_ key: KeyID) throws {
        _ = try admin.send("POST", "/v1/keys/\(key)/compromise", ["reason": "It leaked."])
    }

    /// The published list, once it has the key.
    func published(naming key: KeyID) throws -> PublishedKeys {
        let deadline = ContinuousClock.now + .seconds(30)
        while ContinuousClock.now < deadline {
            let keys = try PublishedKeys(
                parsing: try edge.send("GET", "/distribution/keys.json").body
            )
            if keys.keys.contains(where: { $0.id == key }) { return keys }
            Thread.sleep(forTimeInterval: 0.05)
        }
        throw Failure(sentence: "the key \(key) is not published")
    }

    /// Whether any answer still carries the key.
    func names(_ key: KeyID) throws -> Bool {
        let others = ["prince-of-versions.json", "manifest.json", "manifest.json.sig"]
        let paths =
            [documents, documents(of: key)] + others.map { "\(Self.app)/\($0)" }
            + ["/distribution/keys.json", "/distribution/keys/\(key).pem"]
        return try paths.contains { path in
            let answer = try edge.send("GET", path)
            let header = answer.fields["x-amz-meta-signature"] ?? ""
            return header.contains(key.text)
                || String(decoding: answer.body, as: UTF8.self).contains(key.text)
        }
    }
}
