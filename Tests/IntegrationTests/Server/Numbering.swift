import PlimsollJSON
import Testing

/// Fails the test unless positions and revisions are numbered without a gap or a repeat.
func expectDense(_ events: [JSONValue]) {
    let positions = events.compactMap { $0["position"]?.integer }
    #expect(positions == Array(1...Int64(max(1, events.count))))
    var last: [String: Int64] = [:]
    for event in events {
        let stream = event["stream"]?.string ?? ""
        let revision = event["revision"]?.integer ?? -1
        #expect(revision == last[stream].map { $0 + 1 } ?? firstRevision, "\(stream)")
        last[stream] = revision
    }
}

/// Revisions count the events of a stream.
private let firstRevision: Int64 = 1
