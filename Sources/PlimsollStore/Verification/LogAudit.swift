import FoundationEssentials
import PlimsollDomain
import PlimsollPostgres

/// Decides every append again, beside the reading of the entries.
///
/// It goes on with the state, and stretch by stretch is decided on copies of it. Where one is not
/// founded the state has come further than it should: nobody gets to see it.
struct LogAudit: Sendable {
    private(set) var audit: DecisionAudit?
    /// The first event of which no command could be made; what comes behind it is passed over.
    private(set) var found: LogFlawFound?
    private var undecided = UndecidedAppends()
    private var isUnwanted = false

    /// Long enough that to copy what changes in the state counts for little.
    private static let stretch = 2_000

    init(_ audit: DecisionAudit?) {
        self.audit = audit
    }

    mutating func take(_ events: [RecordedEvent?], for desk: DecisionDesk) async {
        guard audit != nil, found == nil, !isUnwanted else { return }
        do throws(UnfoundedEvent) {
            for case let event? in events { try audit?.take(event, leaving: &undecided) }
        } catch {
            found = LogFlawFound(error)
        }
        if undecided.count >= Self.stretch { await handOver(to: desk) }
    }

    /// Where the log ends here the last append is whole.
    mutating func end(isWhole: Bool, for desk: DecisionDesk) async {
        if isWhole, found == nil, !isUnwanted {
            do throws(UnfoundedEvent) {
                try audit?.end(leaving: &undecided)
            } catch {
                found = LogFlawFound(error)
            }
        }
        await handOver(to: desk)
    }

    private mutating func handOver(to desk: DecisionDesk) async {
        isUnwanted = await !desk.take(undecided)
        undecided = UndecidedAppends()
    }
}

/// Where stretches of a log wait to be decided, on as many processors as there are.
struct DecisionDesk: Sendable {
    private let waiting = Relay<UndecidedAppends>(piecesMaximum: 2)

    /// Answers whether any more are wanted: behind one that is not founded none is.
    func take(_ undecided: UndecidedAppends) async -> Bool { await waiting.send(undecided) }

    /// No more are going to come.
    func close() { waiting.end() }

    /// Decides what comes until the desk is closed; answers the first event that does not follow.
    func decideAll() async -> LogFlawFound? {
        await withTaskGroup(of: LogFlawFound?.self) { group in
            var found: LogFlawFound?
            func note(_ flaw: LogFlawFound?) {
                guard let flaw else { return }
                found = found.map { $0.position < flaw.position ? $0 : flaw } ?? flaw
                waiting.forsake()
            }
            var free = ProcessInfo.processInfo.activeProcessorCount
            while let undecided = await waiting.next() {
                if free == 0, let flaw = await group.next() {
                    note(flaw)
                    free += 1
                }
                group.addTask(name: "decisions") { Self.flaw(in: undecided) }
                free -= 1
            }
            for await flaw in group { note(flaw) }
            return found
        }
    }

    private static func flaw(in undecided: UndecidedAppends) -> LogFlawFound? {
        do throws(UnfoundedEvent) {
            try undecided.decide()
            return nil
        } catch {
            return LogFlawFound(error)
        }
    }
}
