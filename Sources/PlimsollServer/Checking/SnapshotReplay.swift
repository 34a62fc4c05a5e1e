import PlimsollDocuments
import PlimsollDomain
import PlimsollPublishing
import PlimsollLog
import PlimsollStore

/// Makes a snapshot anew from the entries of the log, and compares.
package struct SnapshotReplay: Sendable {
    private let entries: PublicReading

    /// Takes where bundles of entries such as `tile/entries/000` are read.
    package init(entries: @escaping PublicReading) {
        self.entries = entries
    }

    /// What has become of the snapshot in the log.
    private struct Trace: Sendable {
        var verifier: EntryVerifier
        var orders = PublicationOrders()
        var plan: SnapshotPlan?
        var digests: [String] = []
    }

    /// Reads every event that the checkpoint covers: each has to be permitted, all have to make
    /// its root, those up to the snapshot's position have to make its bytes, and where the log was
    /// told of it, it has to have been this one.
    package func run(_ finding: SnapshotCheck.Finding) async throws {
        var trace = Trace(verifier: .deciding(rootsOf: []))
        let root = finding.checkpoint.root
        do {
            while trace.verifier.frontier.size < root.size {
                try await read(finding.manifest, upTo: root.size, &trace)
            }
            try trace.verifier.end()
        } catch let found as LogFlawFound {
            throw SnapshotDoubt("event \(found.position)", "\(found.flaw)")
        }
        guard trace.verifier.frontier.root == root else {
            throw SnapshotDoubt(
                "event 1",
                "The first \(root.size) events are not those that the checkpoint was signed over."
            )
        }
        try compare(finding, trace)
    }

    private func read(_ manifest: Manifest, upTo size: Int, _ trace: inout Trace) async throws {
        let begin = trace.verifier.frontier.size
        let width = min(TileAddress.fullWidth, size - begin)
        let index = begin / TileAddress.fullWidth
        guard let address = TileAddress(.entries, index: index, width: width) else {
            preconditionFailure("a bundle has entries")
        }
        guard let bytes = try await entries(address.path),
            let bundle = EntryBundle(address, bytes: bytes)
        else { throw SnapshotDoubt(address.path, "The entries cannot be read.") }
        for entry in bundle.entries {
            let event = try trace.verifier.take(entry)
            trace.orders.evolve(event)
            if event.position == manifest.issue.position {
                // Whatever was decided up to here is looked at before it is used.
                try trace.verifier.end()
                trace.plan = trace.verifier.audit.flatMap {
                    Edition(of: manifest.app, in: $0.world, by: trace.orders)
                }.map(SnapshotPlan.init)
            }
            if event.stream == .export(manifest.app),
                case .export(.snapshotPublished(let record)) = event.event,
                record.sequence == manifest.sequence
            {
                trace.digests.append(record.manifestDigest)
            }
        }
    }

    private func compare(_ finding: SnapshotCheck.Finding, _ trace: Trace) throws {
        let position = finding.manifest.issue.position
        guard let plan = trace.plan, plan.describes(finding.snapshot) else {
            throw SnapshotDoubt(
                Manifest.fileName,
                "Events 1 to \(position) make other documents than those of the snapshot."
            )
        }
        let digest = ContentDigest(of: finding.snapshot.manifest.bytes).hex
        guard trace.digests.isEmpty || trace.digests.contains(digest) else {
            throw SnapshotDoubt(
                Manifest.fileName,
                "The log was told of another manifest under the sequence"
                    + " \(finding.manifest.sequence)."
            )
        }
    }
}
