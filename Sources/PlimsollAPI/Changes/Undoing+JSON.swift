package import PlimsollDomain
package import PlimsollJSON

/// `{"position": 61, "actor": "…", "at": "…", "reason": "3.2.0 never reached the store"}`
extension Undoing: Answer {
    package init?(_ reader: inout ObjectReader) {
        let position = reader.position("position")
        let actor = reader.principal("actor")
        let at = reader.instant("at")
        let reason = reader.optionalReason("reason")
        guard let position, let actor, let at else { return nil }
        self.init(position: position, actor: actor, at: at, reason: reason)
    }

    package var json: JSONObject {
        [
            "position": JSONValue(position), "actor": .string(actor.text), "at": JSONValue(at),
            "reason": JSONValue(reason?.text),
        ]
    }
}
