package import PlimsollDocuments
package import PlimsollDomain

/// Whose signature stands behind what phones read: each value and text of the availability documents
/// of a snapshot, and the change that persons signed with exactly that in it.
package struct SignedFields: Equatable, Sendable {
    /// What the documents say, in their order.
    package let statements: [Statement]
    /// Documents that cannot be read.
    package let unreadable: [FileName]
    /// Files of another form, which say what no field does.
    package let others: [FileName]

    /// That a field has a value.
    package struct Statement: Equatable, Sendable {
        package let file: FileName
        package let field: Field
        /// The change that wrote it last, where persons signed that; rollbacks and emergencies nobody
        /// signs.
        package let change: ChangeProof?
    }

    init(_ snapshot: VerifiedSnapshot, _ changes: [ChangeProof]) {
        let written = changes.map { ($0, $0.values) }
        var (statements, unreadable, others): ([Statement], [FileName], [FileName]) = ([], [], [])
        for file in snapshot.files {
            let name = file.description.name
            guard let platform = file.platform else {
                others.append(name)
                continue
            }
            guard let fields = file.fields(of: platform) else {
                unreadable.append(name)
                continue
            }
            statements += fields.map { field, value in
                Statement(
                    file: name,
                    field: field,
                    change: written.first { $0.1[field] == value }?.0
                )
            }
        }
        (self.statements, self.unreadable, self.others) = (statements, unreadable, others)
    }

    /// Why it cannot be said that so many persons signed all that a document says, or all of them do;
    /// empty where it can.
    package func objections(toSignatures count: Int, of file: FileName?) -> [String] {
        let judged = statements.filter { file == nil || $0.file == file }
        let unread = unreadable.filter { file == nil || $0 == file }
        var objections = unread.map { "\($0) cannot be read." }
        if let file, others.contains(file) {
            objections.append("Of \(file) nothing can be said: it is no availability document.")
        } else if judged.isEmpty, unread.isEmpty {
            objections.append("It says nothing that anybody could have signed.")
        }
        objections += judged.filter { ($0.change?.signers ?? 0) < count }.map {
            "\($0.field) is not."
        }
        return objections
    }
}

extension VerifiedFile {
    fileprivate var platform: Platform? {
        Platform.allCases.first { AvailabilityDocument.fileName(for: $0) == description.name }
    }

    /// What the document says, field by field.
    fileprivate func fields(of platform: Platform) -> [(Field, FieldValue)]? {
        let read = try? AvailabilityDocument(
            parsing: body,
            platform: platform,
            profile: .minimal
        )
        return read.map { read in
            Document(platform: platform).changes(to: read.document).compactMap { change in
                change.after.map { (change.field, $0) }
            }
        }
    }
}
