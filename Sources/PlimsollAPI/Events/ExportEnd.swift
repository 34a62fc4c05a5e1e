package import PlimsollDomain
package import PlimsollJSON

/// The last line of a stream of events: that it is whole, and what it is a part of.
package struct ExportEnd: Answer {
    /// How many events stand before it.
    package let count: Int
    /// The position of the last of them; `nil` where there is none.
    package let last: Position?
    /// How far the record went when it was asked.
    package let position: Position
    /// The newest checkpoint that was signed until there, if one was: a signed note.
    package let checkpoint: String?

    package init(count: Int, last: Position?, position: Position, checkpoint: String?) {
        self.count = count
        self.last = last
        self.position = position
        self.checkpoint = checkpoint
    }

    package init?(_ reader: inout ObjectReader) {
        let count = reader.member("count", needing: "a whole number from 0 on") {
            $0.integer.flatMap { $0 < 0 ? nil : Int($0) }
        }
        let last = reader.optionalPosition("last")
        let position = reader.position("position")
        let checkpoint = reader.optionalString("checkpoint")
        guard let count, let position else { return nil }
        self.init(count: count, last: last, position: position, checkpoint: checkpoint)
    }

    package var json: JSONObject {
        [
            "count": .integer(Int64(count)), "last": JSONValue(last),
            "position": JSONValue(position), "checkpoint": JSONValue(checkpoint),
        ]
    }
}
