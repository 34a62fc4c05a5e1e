import PlimsollDocuments
import PlimsollDomain
import PlimsollPublishing
import PlimsollSystem
import PlimsollTestSupport
import Testing

/// Harbour as it was registered, and its documents published.
struct Publication {
    let folder: ExportFolder
    let keys: PublishedKeys
    private let signer: SigningKeys
    private var given: Given

    var events: [RecordedEvent] { given.events }

    init(in data: Path) throws {
        signer = SigningKeys(folder: data / "keys")
        folder = ExportFolder(data / "export")
        let key = try signer.makeKey(for: harbour)
        given = Given().when(
            .system,
            (.app(harbour), .app(.appRegistered(try settings()))),
            (.service, .service(.defaultAppChosen(harbour))),
            (.keys, .key(.keyAdded(key))),
            (.keys, .key(.keyActivated(key.id, app: harbour)))
        )
        keys = PublishedKeys(given.logState.keyring)
        try publish()
    }

    /// Publishes the same content under a higher sequence.
    mutating func renew() throws {
        given = given.when(.system, (.app(harbour), .app(.renewalOrdered)))
        try publish()
    }

    /// Tells the log of a manifest, by default of the one that is current.
    mutating func tellLog(of manifest: [UInt8]? = nil) throws {
        let place = folder.current(of: harbour) / Manifest.fileName
        let bytes = try manifest ?? place.read(sizeMaximum: 1 << 20)
        let issue = try Manifest(parsing: bytes).issue
        let record = PublicationRecord(
            sequence: issue.sequence,
            position: issue.position,
            manifestDigest: ContentDigest(of: bytes).hex,
            keys: keys.keys.map(\.id)
        )
        given = given.when(.system, (.export(harbour), .export(.snapshotPublished(record))))
    }

    /// The app's content keys, as whoever has stolen them has them.
    func contentSigners() throws -> [ContentSigner] {
        try edition().activeKeys.map { try signer.signer(for: $0) }
    }

    private func edition() throws -> Edition {
        var orders = PublicationOrders()
        for event in given.events { orders.evolve(event) }
        return try #require(Edition(of: harbour, in: given.logState, by: orders))
    }

    private func publish() throws {
        let edition = try edition()
        let signers = try contentSigners()
        let store = SnapshotStore(folder)
        try store.prepare()
        let files = try SnapshotPlan(edition).sign(with: signers, keeping: nil)
        try store.add(files, edition.order.sequence, of: harbour)
        try store.makeCurrent(edition.order.sequence, of: harbour)
    }
}
