import PlimsollJSON
import Testing

/// The rules of numbering, applied to the events of a log from its first one on.
struct Numbering {
    /// The position of the last event that followed the rules.
    private(set) var last: Int64 = 0
    private var revisions: [String: Int64] = [:]

    /// Whether the event is the next one: positions have no gap and no repeat, nor have the
    /// revisions of a stream.
    mutating func take(_ position: Int64?, _ stream: String?, _ revision: Int64?) -> Bool {
        guard
            let stream, position == last + 1, revision == revisions[stream, default: 0] + 1
        else { return false }
        last += 1
        revisions[stream] = revision
        return true
    }

    mutating func take(_ event: JSONValue) -> Bool {
        take(event["position"]?.integer, event["stream"]?.string, event["revision"]?.integer)
    }
}

/// Fails the test unless positions and revisions are numbered without a gap or a repeat.
func expectDense(_ events: [JSONValue]) {
    var numbering = Numbering()
    for event in events {
        let isNext = numbering.take(event)
        #expect(isNext, "after \(numbering.last) stands \(event)")
        guard isNext else { return }
    }
}

@Suite struct NumberingTests {
    @Test func `events that follow one another are dense`() {
        var numbering = Numbering()
        let taken = [
            numbering.take(1, "service", 1), numbering.take(2, "app/harbour", 1),
            numbering.take(3, "service", 2),
        ]
        #expect(taken == [true, true, true])
    }

    @Test(arguments: [
        (3, "service", 2), (1, "service", 2), (2, "service", 3), (2, "service", 1),
        (2, "app/harbour", 2), (2, "app/harbour", 0),
    ])
    func `a gap or a repeat is seen`(_ position: Int64, _ stream: String, _ revision: Int64) {
        var numbering = Numbering()
        let taken = [
            numbering.take(1, "service", 1), numbering.take(position, stream, revision),
        ]
        #expect(taken == [true, false])
        #expect(numbering.last == 1)
    }
}
