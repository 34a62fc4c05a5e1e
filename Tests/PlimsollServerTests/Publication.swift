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

    private func publish() throws {
        var orders = PublicationOrders()
        for event in given.events { orders.evolve(event) }
        let edition = try #require(Edition(of: harbour, in: given.logState, by: orders))
        let signers = try edition.activeKeys.map { try signer.signer(for: $0) }
        let store = SnapshotStore(folder)
        try store.prepare()
        let files = try SnapshotPlan(edition).sign(with: signers, keeping: nil)
        try store.add(files, edition.order.sequence, of: harbour)
        try store.makeCurrent(edition.order.sequence, of: harbour)
    }
}
