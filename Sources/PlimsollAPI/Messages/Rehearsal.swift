package import PlimsollJSON

/// Says that a write was only tried, where the write itself has nothing to tell.
package struct Rehearsal: Answer {
    package init() {}

    package init?(_ reader: inout ObjectReader) {
        guard reader.member("dryRun", needing: "true", \.bool) == true else { return nil }
    }

    package var json: JSONObject { ["dryRun": true] }
}
