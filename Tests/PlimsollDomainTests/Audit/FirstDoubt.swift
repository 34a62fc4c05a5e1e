import PlimsollDomain
import PlimsollTestSupport
import Testing

/// The first event that does not follow from what its actor might do, and else the state that all
/// lead to.
///
/// It is the same whether each append is decided before the next is read, or beside the reading, in
/// stretches of some events: here the last first.
func firstDoubt(
    in events: [RecordedEvent],
    leadingTo state: LogState? = nil
) -> UnfoundedEvent? {
    var audit = DecisionAudit(hash: testHash, isSigned: testSignatures)
    var found: UnfoundedEvent?
    do throws(UnfoundedEvent) {
        for event in events { try audit.take(event) }
        try audit.end()
        if let state { #expect(audit.logState == state) }
    } catch {
        found = error
    }
    #expect(doubtBeside(events) == found)
    return found
}

private func doubtBeside(_ events: [RecordedEvent]) -> UnfoundedEvent? {
    var audit = DecisionAudit(hash: testHash, isSigned: testSignatures)
    var (stretches, doubts): ([UndecidedAppends], [UnfoundedEvent]) = ([], [])
    var undecided = UndecidedAppends()
    do throws(UnfoundedEvent) {
        for event in events {
            try audit.take(event, leaving: &undecided)
            guard undecided.count > 3 else { continue }
            stretches.append(undecided)
            undecided = UndecidedAppends()
        }
        try audit.end(leaving: &undecided)
    } catch {
        doubts.append(error)
    }
    for stretch in [undecided] + stretches.reversed() {
        do throws(UnfoundedEvent) {
            try stretch.decide()
        } catch {
            doubts.append(error)
        }
    }
    return doubts.min { $0.position < $1.position }
}
