import PlimsollDocuments
import PlimsollDomain

/// Folds the log, and holds what was published against it.
struct LogWitness: Sendable {
    private var world = World()
    private let published: PublishedDocuments
    /// The first event that what was published contradicts.
    private(set) var contradiction: (position: Position, sentence: String)?

    init(_ published: PublishedDocuments) {
        self.published = published
        contradiction = published.unreadable
    }

    mutating func take(_ event: RecordedEvent) {
        guard contradiction == nil else { return }
        world.evolve(event)
        for witness in published.byPosition[world.position] ?? [] where contradiction == nil {
            contradiction = contradiction(of: witness)
        }
    }

    /// The log has come to its end; what was published of later events shows that it is older.
    mutating func end() {
        guard contradiction == nil,
            let (position, published) = published.byPosition.filter({ $0.key > world.position })
                .min(by: { $0.key < $1.key }),
            let witness = published.first
        else { return }
        contradiction = (
            position,
            "\(witness.file) was published of event \(position), but the log ends at"
                + " \(world.position): it is older than what phones were served."
        )
    }

    private func contradiction(
        of witness: PublishedDocuments.Published
    ) -> (position: Position, sentence: String)? {
        guard let app = world.app(witness.app) else {
            return (world.position, "\(witness.file) was published of an app that did not exist.")
        }
        let document = AvailabilityDocument(app.document(witness.document.platform), stamp: nil)
        let profile = app.settings.profile
        let told = document.asRead(profile)
        guard let change = witness.document.changes(to: told).first,
            witness.document != document.asRead(profile, as: .former)
        else { return nil }
        let place = app.lastWrite(of: change.field)?.position ?? world.position
        return (
            place,
            "The log makes \(change.field) \(shown(change.after)), but \(witness.file), which was"
                + " published then, says \(shown(change.before))."
        )
    }

    private func shown(_ value: FieldValue?) -> String {
        value.map { "“\($0.description.prefix(60))”" } ?? "nothing"
    }
}
