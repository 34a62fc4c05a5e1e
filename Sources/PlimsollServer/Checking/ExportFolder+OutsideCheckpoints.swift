import PlimsollPublishing
import PlimsollSystem
import PlimsollLog

extension ExportFolder {
    /// The checkpoint that was published here last, and those that were set aside although nobody
    /// gave them up.
    func outsideCheckpoints(
        by trusted: VerifierKey?
    ) throws(LogCheckFailure) -> [OutsideCheckpoint] {
        do {
            var found: [OutsideCheckpoint] = []
            for place in [log] + (try logsSetAside()) {
                guard let outside = try outsideCheckpoint(in: place, by: trusted),
                    place == log || !isGivenUp(outside)
                else { continue }
                found.append(outside)
            }
            return found
        } catch let failure as LogCheckFailure {
            throw failure
        } catch {
            throw LogCheckFailure(description: "The published log cannot be read. \(error)")
        }
    }

    private func outsideCheckpoint(
        in place: Path,
        by trusted: VerifierKey?
    ) throws -> OutsideCheckpoint? {
        let file = place / logCheckpoint.name
        let limit = SignedNote.byteCountMaximum
        guard let bytes = try file.readIfPresent(sizeMaximum: limit) else { return nil }
        return try OutsideCheckpoint(
            parsing: bytes,
            from: "\(file)",
            trusting: trusted ?? foundKey(in: place),
            isKeyFound: trusted == nil,
            published: publicReading(of: place)
        )
    }

    private func isGivenUp(_ outside: OutsideCheckpoint) -> Bool {
        Renunciations(self).find(outside.checkpoint.root, signedBy: [outside.key]) != nil
    }

    private func foundKey(in place: Path) throws -> VerifierKey {
        guard let key = try TileStore(self).key(in: place) else {
            throw LogCheckFailure(
                description: "\(place / logKey.name) is no verifier key of a log. Name the one"
                    + " that you trust with --log-key."
            )
        }
        return key
    }
}
