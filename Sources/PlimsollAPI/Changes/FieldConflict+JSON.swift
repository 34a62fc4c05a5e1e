package import PlimsollDomain
package import PlimsollJSON

/// `{"field": "ios.minimumApp.value", "base": "3.0.0", "live": "3.1.0", "by": …, "position": 17,
/// "change": "7"}`.
extension FieldConflict: Answer {
    package init?(_ reader: inout ObjectReader) {
        let field = reader.string("field", needing: Field.grammar, Field.init(path:))
        guard let field else { return nil }
        let base = reader.fieldValue("base", of: field)
        let live = reader.fieldValue("live", of: field)
        let (by, at) = (reader.principal("by"), reader.instant("at"))
        let reason = reader.optionalReason("reason")
        let position = reader.position("position")
        let change = reader.optionalString("change", needing: ChangeID.grammar, ChangeID.init)
        guard let by, let at, let position else { return nil }
        self.init(
            field: field,
            base: base,
            live: live,
            write: FieldWrite(position: position, actor: by, recordedAt: at, reason: reason),
            cause: change
        )
    }

    package var json: JSONObject {
        [
            "field": .string(field.path), "base": JSONValue(base), "live": JSONValue(live),
            "by": .string(write.actor.text), "at": JSONValue(write.recordedAt),
            "reason": JSONValue(write.reason?.text), "position": JSONValue(write.position),
            "change": JSONValue(cause?.description),
        ]
    }
}
