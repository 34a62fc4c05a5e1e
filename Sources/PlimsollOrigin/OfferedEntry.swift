import NIOCore
import PlimsollDocuments
import PlimsollEdge

/// What is offered of an app, and what those are told of it who know more or less already.
struct OfferedEntry {
    let notice: SnapshotNotice
    let snapshot: OfferedSnapshot
    /// Since which version there is this notice of it.
    let offeredAt: UInt64
    /// Since which version the snapshot was offered, with whatever proof.
    private let snapshotOfferedAt: UInt64
    /// The snapshot before, and since which version it was offered.
    private let former: (snapshot: OfferedSnapshot, offeredAt: UInt64)?

    // Each is made when the first one is told it, and is the same bytes for all of them.
    private lazy var alone = NoticeWithFiles(notice).line
    private lazy var withProof = NoticeWithFiles(
        notice,
        bringing: snapshot.proof.map { [$0] } ?? []
    ).line
    private lazy var withChanges = NoticeWithFiles(notice, bringing: changes).line

    init(
        _ notice: SnapshotNotice,
        _ snapshot: OfferedSnapshot,
        offeredAt version: UInt64,
        after known: OfferedEntry?
    ) {
        (self.notice, self.snapshot, offeredAt) = (notice, snapshot, version)
        if let known, known.notice.isOfSameManifest(as: notice) {
            (former, snapshotOfferedAt) = (known.former, known.snapshotOfferedAt)
        } else {
            former = known.map { ($0.snapshot, $0.snapshotOfferedAt) }
            snapshotOfferedAt = version
        }
    }

    /// Whose files are handed out.
    var held: [OfferedSnapshot] { [snapshot] + (former.map { [$0.snapshot] } ?? []) }

    /// Takes up to which version the reader was told; `nil` where it wants no files.
    mutating func line(for known: UInt64?) -> ByteBuffer {
        guard let known else { return alone }
        if known >= snapshotOfferedAt { return withProof }
        guard let former, known >= former.offeredAt else { return alone }
        return withChanges
    }

    private var changes: [OfferedSnapshot.File] {
        let known = Set((former?.snapshot.files ?? []).map(\.digest))
        return snapshot.files.filter { !known.contains($0.digest) }
    }
}

extension SnapshotNotice {
    fileprivate func isOfSameManifest(as other: SnapshotNotice) -> Bool {
        manifest == other.manifest && signatures == other.signatures
    }
}
