package import PlimsollDomain
package import PlimsollJSON

extension ChangeTerm: Answer {
    package init?(_ reader: inout ObjectReader) {
        let state = reader.name("state", as: State.self)
        let applied = reader.position("applied")
        let ended = reader.optionalPosition("ended")
        let endedAt = reader.optionalInstant("endedAt")
        guard let state, let applied else { return nil }
        self.init(state: state, applied: applied, ended: ended, endedAt: endedAt)
    }

    package var json: JSONObject {
        [
            "state": .string(state.rawValue), "applied": JSONValue(applied),
            "ended": JSONValue(ended), "endedAt": JSONValue(endedAt),
        ]
    }
}
