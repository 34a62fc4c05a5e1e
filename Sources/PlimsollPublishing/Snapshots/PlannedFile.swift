package import PlimsollDocuments
package import PlimsollDomain

/// One file as it will be, and what its signature is dated with.
package struct PlannedFile: Equatable, Sendable {
    package let name: FileName
    package let mediaType: String
    package let body: [UInt8]
    /// What an earlier program made of the same document, where that was something else.
    private let formerBody: [UInt8]?
    /// The order that last concerned it; older than the snapshot's where nothing changed since.
    package let sequence: SnapshotSequence
    package let date: SignatureDate

    /// Renders the document; `nil` for a platform that has no availability document.
    init?(_ published: EditionDocument, of edition: Edition) {
        let platform = published.document.platform
        guard let name = AvailabilityDocument.fileName(for: platform) else { return nil }
        let stamp = DocumentStamp(
            app: edition.app,
            platform: platform,
            issue: published.order.issue
        )
        self.name = name
        mediaType = AvailabilityDocument.mediaType
        let document = AvailabilityDocument(published.document, stamp: stamp)
        body = document.bytes(edition.profile)
        formerBody = document.formerBytes(edition.profile)
        sequence = published.order.sequence
        date = SignatureDate(published.order.issuedAt)
    }

    /// Renders what Prince of Versions is told.
    init(_ prince: EditionPrince, of edition: Edition) {
        let stamp = PrinceStamp(app: edition.app, issue: prince.order.issue)
        name = PrinceDocument.fileName
        mediaType = PrinceDocument.mediaType
        body = PrinceExport(prince.source, stamp: stamp).document.bytes
        formerBody = nil
        sequence = prince.order.sequence
        date = SignatureDate(prince.order.issuedAt)
    }

    /// Whether the file is this one, dated like it and signed by exactly these keys.
    func describes(_ file: VerifiedFile, _ keys: [KeyID]) -> Bool {
        file.body == body && isDated(file, keys)
    }

    /// Whether the file is this one, or what an earlier program made in its place.
    func agrees(with file: VerifiedFile, _ keys: [KeyID]) -> Bool {
        (file.body == body || file.body == formerBody) && isDated(file, keys)
    }

    private func isDated(_ file: VerifiedFile, _ keys: [KeyID]) -> Bool {
        stands(for: file, keys) && file.description.sequence == sequence
            && file.description.signatures.allSatisfy { $0.date == date }
    }

    /// Whether the file has this one's place and is signed by exactly these keys, whatever it says.
    func stands(for file: VerifiedFile, _ keys: [KeyID]) -> Bool {
        file.description.name == name && file.description.mediaType == mediaType
            && file.description.signatures.map(\.keyID) == keys
    }
}
