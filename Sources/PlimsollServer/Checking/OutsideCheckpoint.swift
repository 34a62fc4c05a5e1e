import PlimsollDomain
package import PlimsollLog
import PlimsollPublishing
import PlimsollStore
import PlimsollSystem

/// A checkpoint that was kept outside the database, to hold the log against.
package struct OutsideCheckpoint: Sendable {
    let checkpoint: VerifiedCheckpoint
    /// Where it was read.
    package let source: String
    /// What signed it.
    package let key: VerifierKey
    /// Whether nobody named the key, and the one was taken that lay beside it.
    package let isKeyFound: Bool
    /// Where its tiles are, if they are published beside it.
    let published: PublicReading?

    /// Takes a checkpoint as it was kept; one that the log has not signed accuses nobody.
    package init(
        parsing bytes: [UInt8],
        from source: String,
        trusting key: VerifierKey,
        isKeyFound: Bool = false,
        published: PublicReading?
    ) throws(LogCheckFailure) {
        let signed: SignedCheckpoint
        do throws(CheckpointError) {
            signed = try SignedCheckpoint(parsing: bytes)
        } catch {
            throw LogCheckFailure(description: "\(source) is no checkpoint. \(error)")
        }
        switch signed.verification(by: LogTrust(logKeys: [key])) {
        case .verified(let verified): checkpoint = verified
        case .refused(let refusal):
            throw LogCheckFailure(
                description: "The log cannot be held against \(source). \(refusal)"
            )
        }
        self.source = source
        self.key = key
        self.isKeyFound = isKeyFound
        self.published = published
    }

    package var size: Int { checkpoint.root.size }

    /// How the log contradicts it; `nil` where it begins with what was signed.
    func contradiction(of entries: EntryVerifier) async -> (Position, String)? {
        guard size <= entries.frontier.size else {
            return (
                entries.next,
                "A checkpoint over \(size) events was signed (\(source)), but the log ends at"
                    + " \(entries.frontier.size): events were removed from its end, or it is older."
            )
        }
        guard entries.roots[size] != checkpoint.root else { return nil }
        if let fork = await fork(from: entries.leaves) { return fork }
        // Without the tiles, it can only be said that there is a difference.
        return (
            Position(1),
            "The log forked: here or up to event \(size) it is not what was signed (\(source))."
        )
    }

    /// The first event that is another one than was signed, as far as the published tiles tell.
    func fork(from leaves: [MerkleHash]) async -> (Position, String)? {
        let tiles = published.map(PublishedTiles.init)
        guard let signed = try? await tiles?.leaves(of: checkpoint.root),
            let index = zip(signed, leaves).enumerated().first(where: { $1.0 != $1.1 })?.offset
        else { return nil }
        return (
            Position(index + 1),
            "The log forked here: the event is not the one that was signed (\(source))."
        )
    }
}

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
        CheckpointOverrides(self).find(outside.checkpoint.root, signedBy: [outside.key]) != nil
    }

    /// The log's key as it is published here; `nil` where none is.
    func logKeyIfPublished() throws(LogCheckFailure) -> VerifierKey? {
        do {
            return try TileStore(self).key()
        } catch {
            throw LogCheckFailure(description: "The export folder cannot be read. \(error)")
        }
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
