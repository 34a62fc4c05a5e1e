package import PlimsollDomain

/// Cuts a run of events into whole appends: the events that share a command.
package func appends(of events: ArraySlice<RecordedEvent>) -> [ArraySlice<RecordedEvent>] {
    var appends: [ArraySlice<RecordedEvent>] = []
    var start = events.startIndex
    while start < events.endIndex {
        let command = events[start].command
        let end = events[start...].firstIndex { $0.command != command } ?? events.endIndex
        appends.append(events[start..<end])
        start = end
    }
    return appends
}
