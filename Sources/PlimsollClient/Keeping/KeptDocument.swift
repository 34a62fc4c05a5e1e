import Foundation

/// A document that was verified, with everything needed to verify it again.
struct KeptDocument: Sendable {
    let document: AvailabilityDocument
    let signed: SignedDocument
    /// What the answer can be asked for again with; `nil` where it had none.
    let entityTag: String?

    var sequence: Int64 { document.stamp.sequence }

    private static let title = "plimsoll document 1"
    private static let entityTagField = "etag"

    init(document: AvailabilityDocument, signed: SignedDocument, entityTag: String?) {
        self.document = document
        self.signed = signed
        self.entityTag = entityTag.flatMap { Self.isEntityTag($0) ? $0 : nil }
    }

    /// A line that names the form, one for each header, an empty one, and the body as it arrived.
    var bytes: Data {
        var lines = [Self.title]
        for (name, value) in [
            (SignedDocument.signatureHeader, signed.signature),
            (SignedDocument.dateHeader, signed.date), (Self.entityTagField, entityTag),
        ] {
            if let value { lines.append("\(name): \(value)") }
        }
        return Data((lines.joined(separator: "\n") + "\n\n").utf8) + signed.body
    }

    /// Reads what ``bytes`` wrote and verifies it as if it had just arrived; `nil` for anything
    /// that is cut off, changed, signed by a key that is no longer trusted, or not of this app.
    init?(reading bytes: Data, with verifier: DocumentVerifier) {
        let end = Data("\n\n".utf8)
        guard let head = bytes.range(of: end) else { return nil }
        let lines = String(decoding: bytes[..<head.lowerBound], as: UTF8.self)
            .components(separatedBy: "\n")
        guard lines.first == Self.title else { return nil }
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.range(of: ": ") else { return nil }
            fields[String(line[..<colon.lowerBound])] = String(line[colon.upperBound...])
        }
        let signed = SignedDocument(
            body: Data(bytes[head.upperBound...]),
            signature: fields[SignedDocument.signatureHeader],
            date: fields[SignedDocument.dateHeader]
        )
        guard let document = try? verifier.document(from: signed) else { return nil }
        self.init(
            document: document,
            signed: signed,
            entityTag: fields[Self.entityTagField]
        )
    }

    /// It goes back into a request, so it must not be able to end a line there.
    private static func isEntityTag(_ text: String) -> Bool {
        text.utf8.count <= 256 && text.hasSuffix("\"")
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
