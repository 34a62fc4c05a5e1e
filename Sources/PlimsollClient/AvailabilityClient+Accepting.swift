import Foundation

extension AvailabilityClient {
    /// Takes what the service answered, or says why not; then everything stays as it was.
    func accept(_ answer: DocumentAnswer) throws(AvailabilityError) {
        switch answer.status {
        case 304 where kept?.entityTag != nil:
            // There may be room for it now.
            if keepingError != nil, let kept { keep(kept) }
        case 200: try accept(document(in: answer))
        case 300..<400 where answer.status != 304:
            throw AvailabilityError(
                .redirected,
                "The answer leads elsewhere, with the status \(answer.status)."
            )
        default:
            throw AvailabilityError(
                .unexpectedStatus,
                "The answer has the status \(answer.status); 200 is needed.",
                retryAfter: CacheControl.retryAfter(answer)
            )
        }
    }

    /// Takes what another process has put into the folder.
    ///
    /// It was new once, to a clock that was right then, so the clock of now is not asked.
    func adopt(_ found: KeptDocument?) {
        guard let found, found.sequence > kept?.sequence ?? 0 else { return }
        kept = found
        keepingError = nil
    }

    private func document(in answer: DocumentAnswer) throws(AvailabilityError) -> KeptDocument {
        guard answer.body.count <= configuration.bodyMaximum else {
            throw AvailabilityError(
                .tooLarge,
                "The body has more than \(configuration.bodyMaximum) bytes."
            )
        }
        let signed = SignedDocument(
            body: answer.body,
            signature: answer[SignedDocument.signatureHeader],
            date: answer[SignedDocument.dateHeader]
        )
        return KeptDocument(
            document: try verifier.document(from: signed),
            signed: signed,
            entityTag: answer["ETag"]
        )
    }

    private func accept(_ arrived: KeptDocument) throws(AvailabilityError) {
        // Another process may have been given a newer one while this one was under way.
        adopt(folder?.newest(above: kept?.sequence ?? 0))
        try refuseOlder(arrived)
        let tolerated = surroundings.now().addingTimeInterval(configuration.clockTolerance)
        guard arrived.document.stamp.issuedAt <= tolerated else {
            throw AvailabilityError(
                .fromTheFuture,
                "The document was issued at \(arrived.document.stamp.issuedAt), which is yet to come."
            )
        }
        kept = arrived
        keep(arrived)
    }

    private func keep(_ kept: KeptDocument) {
        do throws(AvailabilityError) {
            try folder?.keep(kept)
            keepingError = nil
        } catch {
            keepingError = error
        }
    }

    private func refuseOlder(_ arrived: KeptDocument) throws(AvailabilityError) {
        guard let kept, arrived.sequence <= kept.sequence else { return }
        guard arrived.sequence == kept.sequence else {
            throw AvailabilityError(
                .lowerSequence,
                "The document has the sequence \(arrived.sequence); \(kept.sequence) has been seen."
            )
        }
        guard arrived.signed.body == kept.signed.body else {
            throw AvailabilityError(
                .contradiction,
                "The sequence \(arrived.sequence) has been seen with other content."
            )
        }
    }
}
