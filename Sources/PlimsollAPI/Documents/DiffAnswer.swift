package import PlimsollDomain
package import PlimsollJSON

/// What is different between two states of an app, as `GET /v1/apps/{app}/diff` answers it.
package struct DiffAnswer: Answer {
    package let app: AppSlug
    package let from: Side
    package let to: Side
    package let changes: [FieldChange]
    /// What the second state blocks of the devices that were counted, and the first did.
    package let blocked: [BlockedShare]

    package init(
        app: AppSlug,
        from: Side,
        to: Side,
        changes: [FieldChange],
        blocked: [BlockedShare] = []
    ) {
        (self.app, self.from, self.to, self.changes) = (app, from, to, changes)
        self.blocked = blocked
    }

    package init?(_ reader: inout ObjectReader) {
        let app = reader.slug("app")
        let from = reader.side("from")
        let to = reader.side("to")
        let changes = reader.objects("changes", .ignored, FieldChange.init)
        let blocked = reader.objects("blocked", .ignored, BlockedShare.init)
        guard let app, let from, let to, let changes, let blocked else { return nil }
        self.init(app: app, from: from, to: to, changes: changes, blocked: blocked)
    }

    package var json: JSONObject {
        [
            "app": .string(app.text), "from": .object(from.json), "to": .object(to.json),
            "same": .bool(changes.isEmpty),
            "changes": .array(changes.map(\.jsonWithSentence)), "blocked": JSONValue(blocked),
        ]
    }

    /// A state, and the position at which it is found.
    package struct Side: Answer {
        package let name: StateName
        package let position: Position

        package init(name: StateName, position: Position) {
            (self.name, self.position) = (name, position)
        }

        package init?(_ reader: inout ObjectReader) {
            let name = reader.string("state", needing: StateName.grammar, StateName.init)
            let position = reader.position("position")
            guard let name, let position else { return nil }
            self.init(name: name, position: position)
        }

        package var json: JSONObject {
            ["state": .string(name.text), "position": JSONValue(position)]
        }
    }
}

extension ObjectReader {
    mutating func side(_ key: String) -> DiffAnswer.Side? {
        guard let object = object(key) else { return nil }
        let place = pointer.appending(key)
        return nested(object, at: place, .ignored, DiffAnswer.Side.init)
    }
}

extension FieldChange {
    /// With a sentence for people.
    fileprivate var jsonWithSentence: JSONValue {
        var json = json
        json["sentence"] = .string(sentence)
        return .object(json)
    }
}
