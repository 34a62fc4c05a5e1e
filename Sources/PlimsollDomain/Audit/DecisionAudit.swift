/// Decides every append of a log again, on the state as it was then, and compares.
///
/// Deciding is pure: whoever was permitted then is permitted now, and the same command leads to the
/// same events. An event that was slipped in, widened or ascribed to somebody else does not come
/// out of any command that its actor may give.
package struct DecisionAudit: Sendable {
    /// All that has happened up to the last append that was looked at.
    package private(set) var logState = LogState()
    private var append: [RecordedEvent] = []
    private var past = PastDocuments()
    private let hash: ChangeHash
    private let isSigned: SignatureCheck

    /// Without a check no signature counts.
    package init(
        hash: @escaping ChangeHash,
        isSigned: @escaping SignatureCheck = { _, _ in false }
    ) {
        self.hash = hash
        self.isSigned = isSigned
    }

    /// Takes the next event of the log; with the first event of an append the one before is
    /// decided.
    package mutating func take(_ event: RecordedEvent) throws(UnfoundedEvent) {
        if let last = append.last, last.command != event.command { try settle() }
        append.append(event)
    }

    /// The log ends here: decides its last append.
    package mutating func end() throws(UnfoundedEvent) {
        try settle()
    }

    private mutating func settle() throws(UnfoundedEvent) {
        guard let first = append.first else { return }
        let recorded = RecordedAppend(first: first, events: append)
        try recorded.checkOrigin(in: logState)
        guard let command = recorded.command(in: logState, past, hash, isSigned) else {
            throw UnfoundedEvent(first, .noCommand)
        }
        try compare(recorded, with: command)
        for event in append {
            logState.evolve(event)
            past.take(event, leadingTo: logState)
        }
        append.removeAll(keepingCapacity: true)
    }

    private func compare(
        _ recorded: RecordedAppend,
        with command: any Command
    ) throws(UnfoundedEvent) {
        guard command.by == recorded.first.origin.actor else {
            throw UnfoundedEvent(recorded.first, .serviceOnly)
        }
        do {
            try compare(recorded, with: command, in: logState)
        } catch {
            // By the rules of today first: what they lead to may be recorded as well.
            let isFounded = Strictness.former.contains { strictness in
                let logState = logState.deciding(by: strictness)
                return (try? compare(recorded, with: command, in: logState)) != nil
            }
            guard isFounded else { throw error }
        }
    }

    private func compare(
        _ recorded: RecordedAppend,
        with command: any Command,
        in logState: LogState
    ) throws(UnfoundedEvent) {
        let decided: [StreamEvent]
        do throws(Refusal) {
            decided = try command.decide(in: logState, at: recorded.decidedAt).events
        } catch {
            throw UnfoundedEvent(recorded.first, .refused(error))
        }
        for (event, decided) in zip(recorded.events, decided)
        where event.stream != decided.stream || event.event != decided.event {
            throw UnfoundedEvent(event, .another)
        }
        guard recorded.events.count <= decided.count else {
            throw UnfoundedEvent(recorded.events[decided.count], .another)
        }
        guard recorded.events.count == decided.count else {
            throw UnfoundedEvent(recorded.events[recorded.events.count - 1], .cutShort)
        }
    }
}

/// An event that does not follow from what its actor might do.
package struct UnfoundedEvent: Error, Equatable, Sendable {
    package let position: Position
    package let reason: Reason

    /// Why it does not follow.
    package enum Reason: Equatable, Sendable {
        /// Nothing that anybody can do begins with it.
        case noCommand
        /// Its actor might not do this then.
        case refused(Refusal)
        /// Only the service itself does this.
        case serviceOnly
        /// Something else would have followed from what was done.
        case another
        /// More would have followed from what was done.
        case cutShort
        /// The token that it came with was not its actor's, or not alive.
        case notAuthentic
        /// It says otherwise who acted, when or why than the first event of its append.
        case anotherOrigin
    }

    init(_ event: RecordedEvent, _ reason: Reason) {
        position = event.position
        self.reason = reason
    }
}

extension UnfoundedEvent.Reason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noCommand: "Nothing that anybody can do leads to this event."
        case .refused(let refusal):
            "Its actor was not permitted to do this. "
                + refusal.objections.map(\.detail).joined(separator: " ")
        case .serviceOnly: "Only the service itself does this, and somebody else is its actor."
        case .another: "The command leads to another event than this one."
        case .cutShort: "The command leads to more events than follow this one."
        case .notAuthentic:
            "The way in which its actor was known does not hold: the token was not the actor's, or"
                + " not alive."
        case .anotherOrigin:
            "It says otherwise who acted, when or why than the first event of its append."
        }
    }
}

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

    /// Takes the next event of the log, and the state after it.
    mutating func take(_ recorded: RecordedEvent, leadingTo logState: LogState) {
        if case (.change(let id), .change(.changeApplied)) = (recorded.stream, recorded.event) {
            applied[id] = recorded.position
        }
        guard case (.app(let slug), .app(let event)) = (recorded.stream, recorded.event),
            let app = logState.app(slug)
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
