import Crypto
package import Foundation

/// Signs documents with a key of its own, as the service does, without any of its code.
package struct Publisher: Sendable {
    package let keyID: String
    private let key = P256.Signing.PrivateKey()

    package init(keyID: String = UUID().uuidString.lowercased()) {
        self.keyID = keyID
    }

    package var pem: String { key.publicKey.pemRepresentation }

    /// The values of the two headers, over the bytes as they are.
    package func headers(
        for body: Data,
        date: String = "Sat, 21 Nov 2026 10:22:06 UTC"
    ) throws -> (signature: String, date: String) {
        let signature = try key.signature(for: Data("\(date):".utf8) + body)
        let base64 = signature.derRepresentation.base64EncodedString()
        return ("keyId=\"\(keyID)\",signature=\"\(base64)\"", date)
    }

    /// A whole answer of HTTP with the signed body.
    package func answer(
        _ body: Data,
        status: String = "200 OK",
        fields: [String: String] = ["ETag": "\"1\"", "Cache-Control": "public, max-age=60"]
    ) throws -> [UInt8] {
        let headers = try headers(for: body)
        var fields = fields
        fields["x-amz-meta-signature"] = headers.signature
        fields["x-amz-meta-signature-date"] = headers.date
        return Self.unsigned(status, fields: fields, body: body)
    }

    /// An answer of HTTP that nobody signed.
    package static func unsigned(
        _ status: String,
        fields: [String: String] = [:],
        body: Data = Data()
    ) -> [UInt8] {
        var lines = ["HTTP/1.1 \(status)", "Connection: close"]
        if status.hasPrefix("304") == false { lines.append("Content-Length: \(body.count)") }
        lines += fields.map { "\($0.key): \($0.value)" }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
    }
}

/// What a document says, as the service writes it; change what a test needs otherwise.
package struct DocumentDraft: Sendable {
    package var app = "harbour"
    package var platform = "ios"
    package var sequence = 113
    package var issuedAt = "2026-11-21T10:22:06.714Z"
    package var expiresAt = "2026-11-28T10:22:06.714Z"
    /// All members but the stamp, each with its value as JSON.
    package var members = [
        "minimumAppVersion": #"{"value":"3.2.0","title":{},"description":{"en":"Too old."}}"#
    ]

    package init() {}

    package var body: Data {
        let stamp = """
            "plimsoll":{"app":"\(app)","expiresAt":"\(expiresAt)","issuedAt":"\(issuedAt)",\
            "platform":"\(platform)","position":\(sequence),"sequence":\(sequence)}
            """
        let others = members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
        return Data("{\((others + [stamp]).joined(separator: ","))}".utf8)
    }
}
