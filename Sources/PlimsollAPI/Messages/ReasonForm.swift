package import PlimsollDomain
package import PlimsollJSON

/// A body that says nothing but why; an empty one does it without a word.
package struct ReasonForm: Form {
    package let reason: Reason?

    package init(reason: Reason? = nil) { self.reason = reason }

    package init?(_ reader: inout ObjectReader) {
        self.init(reason: reader.optionalReason("reason"))
    }

    package var json: JSONObject { ["reason": JSONValue(reason?.text)] }
}
