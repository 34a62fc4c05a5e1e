import Foundation
import PlimsollDocuments
import PlimsollDomain
import PlimsollPublishing
import PlimsollSystem

/// A publication from its order until it would outlast a power cut, against its signatures and its
/// synchronizations with nothing else.
///
/// All documents are new each time: of two platforms with texts in twelve languages, and what Prince
/// of Versions is told. Every byte is read back and verified before it is current, as always.
struct PublicationBenchmark {
    let options: Options

    func run() async throws {
        // A new one: where much was deleted a moment ago, file systems are slow to make anew.
        let root = options.folder / "publication-\(ProcessInfo.processInfo.processIdentifier)"
        defer { _ = try? root.removeTree() }
        var printing = try Printing(in: root)
        var score = Score("publication", against: "signatures, fsyncs", target: .atMost(1.5))
        for _ in 1...options.rounds {
            let publication = try await pace { try await printing.publish() }
            let alone = try await pace { try await printing.signAndSynchronize() }
            score.note(publication, against: alone)
        }
        print("  \(printing.description), \(options.rounds) rounds of \(options.seconds) s")
        Table(unit: "ms", scores: [score]).show()
    }

    /// Milliseconds for each, the median.
    private func pace(_ work: () async throws -> Void) async throws -> Double {
        let end = ContinuousClock.now + .seconds(options.seconds)
        var times: [Double] = []
        while ContinuousClock.now < end {
            times.append(try await Lap.measure(work).duration * 1000)
        }
        return median(times)
    }
}

/// An app whose documents are published again and again.
private struct Printing {
    private let store: SnapshotStore
    /// Where files are written that nobody asked for.
    private let aside: Path
    private let links: Path
    private let signer: LocalSigner
    /// As the exporter has it: every signature is verified.
    private let checkedSigner: CheckedSigner
    private let trusted: TrustedKeys
    private var builder: OrderBuilder
    private var files: [PublishedFile] = []
    private var number = 0

    init(in root: Path) throws {
        let keys = SigningKeys(folder: root / "keys")
        try keys.prepare()
        let record = try keys.makeKey(for: try OrderBuilder.app)
        signer = LocalSigner(try keys.signer(for: record))
        checkedSigner = try keys.checkedSigner(for: record)
        let key = try known(PublicKey(der: record.publicKey), "a public key")
        trusted = TrustedKeys([.init(id: record.id, publicKey: key)])
        store = SnapshotStore(ExportFolder(root / "export"))
        try store.prepare()
        aside = root / "aside"
        try aside.createFolder()
        links = root / "links"
        try links.createFolder()
        builder = try OrderBuilder(key: record)
    }

    var description: String {
        let size = files.map(\.bytes.count).reduce(0, +)
        return "\(files.count) files, \(size) bytes, \(OrderBuilder.languages.count) languages"
    }

    /// As the exporter does it, on the calling thread.
    mutating func publish() async throws {
        let edition = try builder.orderAnew()
        let plan = SnapshotPlan(edition)
        let draft = SnapshotDraft(plan, keeping: nil)
        let manifest = draft.manifest(signed: [try await checkedSigner.sign(draft.digests)])
        files = manifest.files(signed: try await checkedSigner.sign([manifest.digest]))
        let (store, written, trusted) = (store, files, trusted)
        let (sequence, app) = (edition.order.sequence, edition.app)
        async let checked = store.check(written, sequence, of: app, trusting: trusted)
        try store.add(written, sequence, of: app)
        let isHeld = try store.holds(written, sequence, of: app)
        let isPlanned = plan.describes(try await checked)
        precondition(isHeld && isPlanned, "what was printed is what was planned")
        try store.makeCurrent(sequence, of: edition.app)
        try store.makeCurrentLast()
    }

    /// The same signatures and the same synchronizations, of the same bytes.
    mutating func signAndSynchronize() async throws {
        number += 1
        for file in files where file.name != Manifest.signaturesFileName {
            _ = try await signer.sign([Manifest.digest(file.bytes)])
        }
        _ = try FolderPublication.publish(files, as: aside / "\(number)")
        // Without a link that changed there would be nothing to synchronize.
        try (links / "current").pointSymbolicLink(to: "../aside/\(number)", durability: .later)
        try links.synchronizeFolder()
    }
}
