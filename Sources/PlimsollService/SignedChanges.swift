import PlimsollAPI
package import PlimsollDocuments
package import PlimsollDomain
package import PlimsollStore

/// What persons signed of what is live, put together for those who were not there.
package struct SignedChanges: Sendable {
    private let readModels: ReadModels
    private let logState: @Sendable () -> LogState

    package init(_ readModels: ReadModels, logState: @escaping @Sendable () -> LogState) {
        self.readModels = readModels
        self.logState = logState
    }

    /// The changes that last wrote a field of the app up to the position, as far as persons signed
    /// them, the newest first, and no more than a proof may have.
    ///
    /// What a rollback or an emergency wrote nobody has approved.
    package func proofs(of app: AppSlug, at position: Position) async throws -> [ChangeProof] {
        guard logState().access.hasPersonKeys else { return [] }
        let fields = try await readModels.standingFields(of: app, after: position)
        let writes = try await readModels.events(at: Set(fields.map(\.since)).sorted())
        let changes = Dictionary(
            writes.compactMap { write in write.change.map { (write.position, $0) } },
            uniquingKeysWith: { first, _ in first }
        )
        let written = Dictionary(grouping: fields) { changes[$0.since] }
        var proofs: [ChangeProof] = []
        for change in Set(changes.values).sorted(by: >) {
            let last = written[change, default: []].map(\.field)
            guard let proof = try await proof(of: change, lastWriting: last, upTo: position),
                proof.isSigned(of: app)
            else { continue }
            proofs.append(proof)
            if proofs.count == ChangeProof.countMaximum { break }
        }
        return proofs
    }

    private func proof(
        of id: ChangeID,
        lastWriting fields: [Field],
        upTo position: Position
    ) async throws -> ChangeProof? {
        let history = try await readModels.log.history(of: .change(id), upTo: position)
        let lapsed = logState().lapsedApprovals(of: id)
        guard let record = ChangeRecord(id: id, history: history, lapsed: lapsed),
            record.state == .applied, let digest = record.digest
        else { return nil }
        let approvals = record.approvals.compactMap(\.told.proof)
        guard !approvals.isEmpty else { return nil }
        let content = ChangeContent(
            app: record.proposal.app,
            operations: record.proposal.operations,
            schedule: record.schedule,
            effect: try await readModels.end(of: id, upTo: record.position).effect
        )
        return ChangeProof(
            id: id,
            content: content,
            digest: digest,
            lastWriting: fields,
            approvals: approvals
        )
    }
}

extension ChangeOutcome.Approval {
    /// What its approver signed; `nil` where it does not count, or is not signed.
    fileprivate var proof: ChangeProof.Approval? {
        guard counts else { return nil }
        return signature.map { ChangeProof.Approval(by: verdict.by, signature: $0) }
    }
}
