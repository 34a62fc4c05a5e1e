package import PlimsollDomain
package import PlimsollJSON

/// The receipt of a rollback.
package struct RollbackAnswer: Answer {
    package let app: AppSlug
    /// The last position of the append; `nil` where it was only tried.
    package let position: Position?
    /// The sequence under which the old content is published; `nil` where it was only tried.
    package let sequence: SnapshotSequence?
    /// The position whose state was restored.
    package let target: Position
    package let platforms: [Platform]
    /// Those of the whole app of which nothing stood there: they are left as they are.
    package let platformsKept: [Platform]
    package let changes: [FieldChange]
    /// What else it does, and who gets to see it when.
    package let outlook: RollbackOutlook

    package init(
        app: AppSlug,
        position: Position?,
        sequence: SnapshotSequence?,
        target: Position,
        platforms: [Platform],
        platformsKept: [Platform] = [],
        changes: [FieldChange],
        outlook: RollbackOutlook
    ) {
        self.app = app
        self.position = position
        self.sequence = sequence
        self.target = target
        self.platforms = platforms
        self.platformsKept = platformsKept
        self.changes = changes
        self.outlook = outlook
    }

    package init?(_ reader: inout ObjectReader) {
        let app = reader.slug("app")
        let position = reader.optionalPosition("position")
        let sequence = reader.optionalSequence("sequence")
        let target = reader.position("target")
        let platforms = reader.platforms("platforms")
        let kept = reader.platforms("platformsKept")
        let changes = reader.objects("changes", .ignored, FieldChange.init)
        let outlook = RollbackOutlook(&reader)
        guard let app, let target, let platforms, let kept, let changes, let outlook else {
            return nil
        }
        self.init(
            app: app,
            position: position,
            sequence: sequence,
            target: target,
            platforms: platforms,
            platformsKept: kept,
            changes: changes,
            outlook: outlook
        )
    }

    package var json: JSONObject {
        var json: JSONObject = [
            "app": .string(app.text),
            "position": JSONValue(position),
            "sequence": JSONValue(sequence),
            "target": JSONValue(target),
            "platforms": JSONValue(platforms),
            "platformsKept": JSONValue(platformsKept),
            "changes": JSONValue(changes),
        ]
        outlook.write(to: &json)
        return json
    }
}

extension ObjectReader {
    fileprivate mutating func platforms(_ key: String) -> [Platform]? {
        strings(key, needing: Platform.grammar, Platform.init(rawValue:))
    }
}
