package import PlimsollDomain
package import PlimsollJSON

/// What persons signed of a change, for those who were not there.
///
/// It stands for itself: the digest follows from the content, and each signature is over the digest.
/// `docs/reference/proofs.md` defines every byte.
package struct ChangeProof: Equatable, Sendable {
    package let id: ChangeID
    /// What was approved; the SHA-256 of its canonical form is the change's digest.
    package let content: JSONObject
    /// Those fields of it that nothing wrote since, as the service says.
    package let fields: [Field]
    package let approvals: [Approval]

    /// So many may lie beside one snapshot.
    package static let countMaximum = 100
    /// All of them together, in bytes.
    package static let sizeMaximum = 1 << 20

    /// What one person signed.
    package struct Approval: Equatable, Sendable {
        package let by: PrincipalID
        package let signature: PersonSignature

        package init(by: PrincipalID, signature: PersonSignature) {
            (self.by, self.signature) = (by, signature)
        }
    }

    /// `nil` where the content does not have the digest that was approved.
    package init?(
        id: ChangeID,
        content: ChangeContent,
        digest: ChangeDigest,
        lastWriting fields: [Field],
        approvals: [Approval]
    ) {
        let bytes = content.canonicalBytes
        let limits = JSONLimits(sizeMaximum: bytes.count)
        guard ChangeDigest(of: content) == digest,
            let json = (try? JSONValue(parsing: bytes, limits: limits))?.object
        else { return nil }
        self.init(id: id, content: json, fields: fields.sorted(), approvals: approvals)
    }

    private init(
        id: ChangeID,
        content: JSONObject,
        fields: [Field],
        approvals: [Approval]
    ) {
        self.id = id
        self.content = content
        self.fields = fields
        self.approvals = approvals
    }

    /// What persons signed that the fields hold which nothing wrote since.
    ///
    /// One that stands twice in what was signed would be read in two ways, and has no value.
    package var values: [Field: FieldValue] {
        let written = (content["effect"]?.array ?? []).compactMap { change in
            change["field"]?.string.map { ($0, change["after"]) }
        }
        let after = Dictionary(written, uniquingKeysWith: { _, _ in nil })
        return fields.reduce(into: [:]) { values, field in
            values[field] = (after[field.path] ?? nil).flatMap { FieldValue(json: $0, of: field) }
        }
    }

    /// How many persons signed it, with as many keys.
    package var signers: Int {
        min(Set(approvals.map(\.by)).count, Set(approvals.map(\.signature.key)).count)
    }

    /// Whether each approval is signed, of this change of the app, and each field is in what was signed.
    package func isSigned(of app: AppSlug) -> Bool {
        guard content["app"]?.string == app.text, !approvals.isEmpty, !fields.isEmpty,
            values.count == fields.count, let digest
        else { return false }
        return approvals.allSatisfy { approval in
            let statement = ApprovalStatement(
                app: app,
                change: id,
                digest: digest,
                approver: approval.by,
                signedAt: approval.signature.signedAt
            )
            return approval.signature.signs(statement)
        }
    }

    private var digest: ChangeDigest? {
        ChangeDigest(hex: ContentDigest(of: content.canonicalBytes()).hex)
    }
}

extension ChangeProof {
    package var json: JSONObject {
        [
            "approvals": .array(approvals.map { .object($0.json) }),
            "content": .object(content),
            "fields": .array(fields.map { .string($0.path) }), "id": .string("\(id)"),
        ]
    }

    package static func read(_ reader: inout ObjectReader) -> ChangeProof? {
        let id = reader.change("id")
        let content = reader.object("content")
        let fields = reader.strings("fields", needing: "the name of a field") { Field(path: $0) }
        let approvals = reader.objects("approvals", .refused, Approval.read)
        guard let id, let content, let fields, let approvals else { return nil }
        return ChangeProof(id: id, content: content, fields: fields, approvals: approvals)
    }
}

extension ChangeProof.Approval {
    fileprivate var json: JSONObject {
        [
            "by": .string(by.text), "key": .string(signature.key.text),
            "signedAt": .string(signature.signedAt.rfc3339), "value": .string(signature.value),
        ]
    }

    fileprivate static func read(_ reader: inout ObjectReader) -> ChangeProof.Approval? {
        let by = reader.principal("by")
        let key = reader.string("key", needing: PersonKey.grammar) { PersonKey($0) }
        let signedAt = reader.string("signedAt", needing: "a time", Instant.init(rfc3339:))
        let value = reader.string("value", needing: PersonSignature.grammar) {
            PersonSignature.isValue($0) ? $0 : nil
        }
        guard let by, let key, let signedAt, let value else { return nil }
        return ChangeProof.Approval(
            by: by,
            signature: PersonSignature(key: key, signedAt: signedAt, value: value)
        )
    }
}
