package import PlimsollJSON

/// A part of an app's changes, newest first, and where the next part begins.
package struct ChangeList: Answer {
    package let changes: [ChangeSummaryAnswer]
    /// The cursor of the next part; `nil` where the list has come to its end.
    package let next: String?

    package init(changes: [ChangeSummaryAnswer], next: String?) {
        self.changes = changes
        self.next = next
    }

    package init?(_ reader: inout ObjectReader) {
        let changes = reader.objects("changes", .ignored, ChangeSummaryAnswer.init)
        let next = reader.optionalString("next")
        guard let changes else { return nil }
        self.init(changes: changes, next: next)
    }

    package var json: JSONObject {
        ["changes": JSONValue(changes), "next": JSONValue(next)]
    }
}
