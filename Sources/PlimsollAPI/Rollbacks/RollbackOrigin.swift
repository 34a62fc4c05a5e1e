package import PlimsollDomain
import PlimsollJSON

/// The state that a rollback leads to: since when it was there, and who stands behind it.
///
/// ```json
/// {"at": "2026-11-20T08:00:00.000Z",
///  "write": {"event": 40, "author": "…", "approvers": ["…"], "change": "7", "kind": "change",
///            "reason": "…", "incident": null}}
/// ```
package struct RollbackOrigin: Equatable, Sendable {
    /// When the last event before it was recorded.
    package let at: Instant
    /// What wrote last of all that stands in it; `nil` where nothing does.
    package let write: Write?

    /// An event that wrote something, and the people behind it.
    package struct Write: Equatable, Sendable {
        package let event: Position
        package let origin: FieldOrigin

        package init(event: Position, origin: FieldOrigin) {
            (self.event, self.origin) = (event, origin)
        }

        fileprivate init?(_ reader: inout ObjectReader) {
            let event = reader.position("event")
            let origin = FieldOrigin(&reader)
            guard let event, let origin else { return nil }
            self.init(event: event, origin: origin)
        }

        fileprivate var json: JSONObject {
            var json: JSONObject = ["event": JSONValue(event)]
            origin.write(to: &json)
            return json
        }
    }

    package init(at: Instant, write: Write?) {
        (self.at, self.write) = (at, write)
    }

    init?(_ reader: inout ObjectReader) {
        let at = reader.instant("at")
        let write = reader.optionalNested("write", Write.init)
        guard let at else { return nil }
        self.init(at: at, write: write)
    }

    var json: JSONObject {
        ["at": JSONValue(at), "write": write.map { .object($0.json) } ?? .null]
    }
}
