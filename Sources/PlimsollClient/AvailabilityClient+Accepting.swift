import Foundation

extension AvailabilityClient {
    /// Takes what the service answered, or says why not; then everything stays as it was.
    func accept(_ answer: DocumentAnswer) async throws {
        switch answer.status {
        case 304 where kept?.entityTag != nil:
            try refuseOther(answer)
            // There may be room for it now.
            if keepingError != nil, let kept { keep(kept) }
        case 200:
            let arrived = try document(in: answer)
            try check(arrived)
            if let quorum = configuration.quorum { try await require(quorum, for: arrived) }
            try check(arrived)
            kept = arrived
            keep(arrived)
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

    /// Refuses that nothing has changed where the answer has the signature of another document.
    ///
    /// Whoever was on the way once can have given an older document the tag of a newer one, and is
    /// gone: that tag is forgotten, so that the whole document comes next time.
    private func refuseOther(_ answer: DocumentAnswer) throws(AvailabilityError) {
        guard
            let kept, let signature = answer[SignedDocument.signatureHeader],
            signature != kept.signed.signature
        else { return }
        let untagged = KeptDocument(document: kept.document, signed: kept.signed, entityTag: nil)
        self.kept = untagged
        keep(untagged)
        throw AvailabilityError(
            .signatureWrong,
            "The answer says that nothing has changed, with the signature of another document."
        )
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

    /// Fetches what lies beside the document; what is accepted already is not asked for again.
    private func require(_ quorum: WitnessQuorum, for arrived: KeptDocument) async throws {
        guard arrived.signed.body != kept?.signed.body else { return }
        let evidence = WitnessQuorum.Evidence(
            manifest: try await beside("manifest.json"),
            proof: try await beside("proof.json")
        )
        try quorum.check(
            arrived.signed.body,
            named: "availability-\(configuration.device.platform.rawValue)",
            of: configuration.app,
            by: evidence
        )
    }

    /// Neither a manifest nor a proof that the service writes is longer.
    private static let evidenceMaximum = 2 << 20

    private func beside(_ name: String) async throws -> Data {
        let answer = try await answer(
            to: DocumentRequest(
                url: configuration.snapshotURL.appendingPathComponent(name),
                entityTag: nil,
                bodyMaximum: Self.evidenceMaximum,
                timeLimit: configuration.timeLimit
            )
        )
        guard answer.status == 200, answer.body.count <= Self.evidenceMaximum else {
            throw AvailabilityError(
                .notWitnessed,
                "The document does not count yet. \(name) is answered with \(answer.status).",
                retryAfter: CacheControl.retryAfter(answer)
            )
        }
        return answer.body
    }

    /// Throws where it would take something back, or is not yet to be.
    private func check(_ arrived: KeptDocument) throws(AvailabilityError) {
        // Another process may have been given a newer one while this one was under way.
        adopt(folder?.newest(above: kept?.sequence ?? 0))
        try refuseOlder(arrived)
        let tolerated = environment.now().addingTimeInterval(configuration.clockTolerance)
        guard arrived.document.stamp.issuedAt <= tolerated else {
            throw AvailabilityError(
                .fromTheFuture,
                "The document was issued at \(arrived.document.stamp.issuedAt), which is yet to come."
            )
        }
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
