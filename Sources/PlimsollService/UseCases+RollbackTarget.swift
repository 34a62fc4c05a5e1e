import PlimsollDomain
import PlimsollStore

extension UseCases {
    /// When a state was live, who wrote last what stands in it, and who had approved that.
    ///
    /// `nil` where it cannot be told at once: whoever is about to roll back does not wait for it.
    func origin(of target: Position, in app: AppSlug) async -> RollbackTargetView? {
        do throws(UseCaseError) {
            let standing = try await read {
                try await readModels.standingFields(of: app, after: target)
            }
            let newest = standing.map(\.since).max()
            let (events, causes) = try await origins(of: newest.map { [$0] } ?? [], upTo: target)
            let last = try await read { try await readModels.log.events(at: [target]) }
            guard let recordedAt = last.first?.recordedAt else { return nil }
            return RollbackTargetView(
                recordedAt: recordedAt,
                write: newest.flatMap { events[$0] }.map { event in
                    RollbackTargetView.Write(
                        event: event.recorded,
                        cause: event.change.flatMap { causes[$0] }
                    )
                }
            )
        } catch {
            // The rehearsal goes on without it.
            return nil
        }
    }
}
