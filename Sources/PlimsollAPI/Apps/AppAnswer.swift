package import PlimsollDomain
package import PlimsollJSON

/// An app, as every resource of apps answers it.
package struct AppAnswer: Answer {
    package let slug: AppSlug
    package let settings: AppSettings
    package let isDefault: Bool
    /// The last position of the log that the answer takes in: what a proposal is based on.
    package let position: Position
    /// What was last published of it, if anything was.
    package let sequence: SnapshotSequence?
    /// What keeps its changes from applying: its own freeze, or that of everything.
    package let freeze: FreezeAnswer?
    /// The freezes that are planned and not over, soonest first; only as it is now.
    package let freezePlans: [FreezePlanAnswer]

    package init(
        slug: AppSlug,
        settings: AppSettings,
        isDefault: Bool,
        position: Position,
        sequence: SnapshotSequence?,
        freeze: FreezeAnswer? = nil,
        freezePlans: [FreezePlanAnswer] = []
    ) {
        self.slug = slug
        self.settings = settings
        self.isDefault = isDefault
        self.position = position
        self.sequence = sequence
        self.freeze = freeze
        self.freezePlans = freezePlans
    }

    package init?(_ reader: inout ObjectReader) {
        let slug = reader.slug("slug")
        let settings = AppSettings(&reader, .usualLeftOut)
        let isDefault = reader.bool("default")
        let position = reader.position("position")
        let sequence = reader.optionalSequence("sequence")
        let freeze = reader.optionalNested("freeze", FreezeAnswer.init)
        let plans = reader.objects("freezePlans", .ignored, FreezePlanAnswer.init)
        guard let slug, let settings, let isDefault, let position, let plans else { return nil }
        self.init(
            slug: slug,
            settings: settings,
            isDefault: isDefault,
            position: position,
            sequence: sequence,
            freeze: freeze,
            freezePlans: plans
        )
    }

    package var json: JSONObject {
        var json: JSONObject = [
            "slug": .string(slug.text),
            "default": .bool(isDefault),
            "position": JSONValue(position),
            "sequence": JSONValue(sequence),
            "freeze": freeze.map { .object($0.json) } ?? .null,
            "freezePlans": JSONValue(freezePlans),
        ]
        settings.write(to: &json)
        return json
    }
}

/// Every app that the caller may see.
package struct AppList: Answer {
    package let apps: [AppAnswer]

    package init(apps: [AppAnswer]) { self.apps = apps }

    package init?(_ reader: inout ObjectReader) {
        guard let apps = reader.objects("apps", .ignored, AppAnswer.init) else { return nil }
        self.init(apps: apps)
    }

    package var json: JSONObject { ["apps": JSONValue(apps)] }
}
