package import PlimsollDocuments
package import PlimsollDomain

/// Whose signature stands behind what phones read: each value and text of a snapshot, and the change
/// that persons signed with exactly that in it.
package struct SignedFields: Equatable, Sendable {
    /// The changes whose values are in the documents, with the fields that have them.
    package let signed: [Signed]
    /// What the service alone says was decided: rollbacks, emergencies, and approvals that nobody
    /// signed.
    package let unsigned: [Field]

    /// What persons signed, and is there.
    package struct Signed: Equatable, Sendable {
        package let change: ChangeProof
        package let fields: [Field]
    }

    init(_ snapshot: VerifiedSnapshot, _ changes: [ChangeProof]) {
        let written = changes.map { ($0, $0.fields) }
        var (found, unsigned): ([ChangeID: [Field]], [Field]) = ([:], [])
        for file in snapshot.files {
            for change in file.documentFields {
                // A field that was taken away is in no document.
                let author = written.first { $0.1[change.field] == .some(change.after) }
                if let author {
                    found[author.0.id, default: []].append(change.field)
                } else {
                    unsigned.append(change.field)
                }
            }
        }
        signed = changes.compactMap { change in
            found[change.id].map { Signed(change: change, fields: $0) }
        }
        self.unsigned = unsigned
    }

    /// The fields that fewer than so many persons signed, each with a key of their own.
    package func fields(signedByFewerThan count: Int) -> [Field] {
        let few = signed.filter { $0.change.signers < count }.flatMap(\.fields)
        return unsigned + few
    }
}

extension VerifiedFile {
    /// What an availability document says, field by field; nothing for other files.
    fileprivate var documentFields: [FieldChange] {
        let platform = Platform.allCases.first {
            AvailabilityDocument.fileName(for: $0) == description.name
        }
        guard let platform,
            let read = try? AvailabilityDocument(
                parsing: body,
                platform: platform,
                profile: .minimal
            )
        else { return [] }
        return Document(platform: platform).changes(to: read.document)
    }
}
