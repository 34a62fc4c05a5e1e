import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// What phones were served when somebody looked, and whose signature over it was checked.
struct ServedProof {
    /// The last event that it takes in.
    let position: Position
    let sequence: SnapshotSequence
    let keyID: KeyID
    let verifiedAt: Instant

    var json: JSONObject {
        [
            "event": JSONValue(position), "sequence": JSONValue(sequence),
            "keyId": .string(keyID.text), "verifiedAt": JSONValue(verifiedAt),
        ]
    }

    var line: String {
        "served     event \(position), sequence \(sequence), signed by key \(keyID), checked at"
            + " \(verifiedAt)"
    }
}

/// What was brought into force, and is waited for.
struct AppliedWrite {
    let app: AppSlug
    let effect: [FieldChange]
    /// The last position of its append.
    let position: Position
    /// What is said of it before anybody waits.
    var remark: String?
}

extension AppliedWrite {
    init(_ change: ChangeAnswer, remark: String? = nil) {
        self.init(
            app: change.summary.app,
            effect: change.effect,
            position: change.summary.position,
            remark: remark
        )
    }
}

extension Output {
    /// Shows the receipt of a write, and what phones are served where somebody waits for that.
    ///
    /// A person sees the receipt at once. A script gets one result, however the waiting ends, for
    /// the write was done.
    func show(
        _ receipt: Report,
        of write: AppliedWrite,
        servedBy edge: EdgeWait?,
        trusting service: ServiceOptions
    ) async throws {
        if edge == nil || format == .table { show(receipt) }
        if let remark = write.remark { note(remark) }
        guard let edge else { return }
        let proof: ServedProof?
        do {
            proof = try await edge.wait(for: write, trusting: service)
        } catch {
            if format == .json { show(receipt.served(nil)) }
            throw error
        }
        switch format {
        case .json: show(receipt.served(proof))
        case .table: if let proof { show(Report([:], [.line(proof.line)])) }
        }
        note("Phones are served event \(write.position).")
    }
}

extension Report {
    fileprivate func served(_ proof: ServedProof?) -> Report {
        var json = json
        json["served"] = proof.map { .object($0.json) } ?? .null
        return Report(json, blocks)
    }
}
