package import PlimsollJSON

/// A part of the log, and where the next part begins.
package struct EventList: Answer {
    package let events: [EventAnswer]
    /// The cursor of the next part; `nil` where the list has come to its end.
    package let next: String?

    package init(events: [EventAnswer], next: String?) {
        self.events = events
        self.next = next
    }

    package init?(_ reader: inout ObjectReader) {
        let events = reader.objects("events", .ignored, EventAnswer.init)
        let next = reader.optionalString("next")
        guard let events else { return nil }
        self.init(events: events, next: next)
    }

    package var json: JSONObject {
        ["events": JSONValue(events), "next": JSONValue(next)]
    }
}
