/// The documents of every app after any of its events: what rollbacks lead to.
///
/// It keeps the edits, and the documents only after every so many of them.
struct PastDocuments: Sendable {
    private var histories: [AppSlug: History] = [:]
    private var applied: [ChangeID: Position] = [:]

    private struct History {
        let registered: Position
        let empty: [Platform: Document]
        var edits: [(position: Position, operation: Operation)] = []
        /// The documents after the first `edits.count` of this many, twice as many, and so on.
        var bases: [[Platform: Document]] = []
    }

    private static let editsPerBase = 512

    /// Takes the next event of the log, and the world after it.
    mutating func take(_ recorded: RecordedEvent, leadingTo world: World) {
        if case (.change(let id), .change(.changeApplied)) = (recorded.stream, recorded.event) {
            applied[id] = recorded.position
        }
        guard case (.app(let slug), .app(let event)) = (recorded.stream, recorded.event),
            let app = world.app(slug)
        else { return }
        if case .appRegistered = event {
            histories[slug] = History(registered: recorded.position, empty: app.documents)
        }
        guard let operation = event.operation else { return }
        histories[slug]?.edits.append((recorded.position, operation))
        if let count = histories[slug]?.edits.count, count.isMultiple(of: Self.editsPerBase) {
            histories[slug]?.bases.append(app.documents)
        }
    }

    /// The documents of an app as a change left them; `nil` where it was never applied.
    func state(of app: AppSlug, after change: ChangeID) -> PastState? {
        applied[change].flatMap { state(of: app, at: $0) }
    }

    /// The documents of an app after an event; `nil` before there was the app.
    func state(of app: AppSlug, at position: Position) -> PastState? {
        guard let history = histories[app], history.registered <= position else { return nil }
        let count = history.edits.countOfPrefix { $0.position <= position }
        let base = count / Self.editsPerBase
        var documents = base == 0 ? history.empty : history.bases[base - 1]
        for edit in history.edits[(base * Self.editsPerBase)..<count] {
            // One that was not among the app's platforms from the beginning has none yet.
            let platform = edit.operation.platform
            documents[platform, default: Document(platform: platform)].apply(edit.operation)
        }
        return PastState(position: position, documents: documents)
    }
}

extension Array {
    /// How many elements come before the first that does not belong; all that belong come first.
    fileprivate func countOfPrefix(_ belongs: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if belongs(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
