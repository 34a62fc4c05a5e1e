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

/// The body of `POST /v1/apps/{app}/default`.
package struct DefaultAppForm: Form {
    /// The default app that was seen; `nil` where there was none.
    package let from: AppSlug?
    package let reason: Reason?

    package init(from: AppSlug?, reason: Reason? = nil) {
        (self.from, self.reason) = (from, reason)
    }

    package init?(_ reader: inout ObjectReader) {
        let from = reader.optionalString("from", needing: AppSlug.grammar, AppSlug.init)
        self.init(from: from, reason: reader.optionalReason("reason"))
    }

    package var json: JSONObject {
        ["from": JSONValue(from?.text), "reason": JSONValue(reason?.text)]
    }
}

/// What phones are given at the addresses without an app's name, before and after.
package struct DefaultAppAnswer: Answer {
    package let app: AppSlug
    package let from: AppSlug?
    /// The event that did it; `nil` where it was only tried.
    package let position: Position?
    package let addresses: [Address]
    /// What signs at those addresses: phones that trust only the first refuse what comes after.
    package let keysBefore: [KeyID]
    package let keysAfter: [KeyID]

    /// One address, and whose document stands there.
    package struct Address: Message {
        package let path: String
        package let before: Document?
        package let after: Document?

        package init(path: String, before: Document?, after: Document?) {
            (self.path, self.before, self.after) = (path, before, after)
        }

        package init?(_ reader: inout ObjectReader) {
            let path = reader.string("path")
            let before = Self.document("before", &reader)
            let after = Self.document("after", &reader)
            guard let path else { return nil }
            self.init(path: path, before: before, after: after)
        }

        private static func document(_ key: String, _ reader: inout ObjectReader) -> Document? {
            guard let object = reader.optionalObject(key) else { return nil }
            return reader.nested(object, at: reader.pointer.appending(key), .ignored, Document.init)
        }

        package var json: JSONObject {
            [
                "path": .string(path),
                "before": before.map { .object($0.json) } ?? .null,
                "after": after.map { .object($0.json) } ?? .null,
            ]
        }
    }

    /// A document by its app and the snapshot it is of; of a rehearsal, the lowest it can be of.
    package struct Document: Message {
        package let app: AppSlug
        package let sequence: SnapshotSequence?

        package init(app: AppSlug, sequence: SnapshotSequence?) {
            (self.app, self.sequence) = (app, sequence)
        }

        package init?(_ reader: inout ObjectReader) {
            let app = reader.slug("app")
            let sequence = reader.optionalSequence("sequence")
            guard let app else { return nil }
            self.init(app: app, sequence: sequence)
        }

        package var json: JSONObject {
            ["app": .string(app.text), "sequence": JSONValue(sequence)]
        }
    }

    package init(
        app: AppSlug,
        from: AppSlug?,
        position: Position?,
        addresses: [Address],
        keysBefore: [KeyID],
        keysAfter: [KeyID]
    ) {
        (self.app, self.from, self.position) = (app, from, position)
        (self.addresses, self.keysBefore, self.keysAfter) = (addresses, keysBefore, keysAfter)
    }

    package init?(_ reader: inout ObjectReader) {
        let app = reader.slug("app")
        let from = reader.optionalString("from", needing: AppSlug.grammar, AppSlug.init)
        let position = reader.optionalPosition("position")
        let addresses = reader.objects("addresses", .ignored, Address.init)
        let before = reader.strings("keysBefore", needing: "ids of keys", KeyID.init)
        let after = reader.strings("keysAfter", needing: "ids of keys", KeyID.init)
        guard let app, let addresses, let before, let after else { return nil }
        self.init(
            app: app,
            from: from,
            position: position,
            addresses: addresses,
            keysBefore: before,
            keysAfter: after
        )
    }

    package var json: JSONObject {
        [
            "app": .string(app.text), "from": JSONValue(from?.text),
            "position": JSONValue(position), "addresses": JSONValue(addresses),
            "keysBefore": .array(keysBefore.map { .string($0.text) }),
            "keysAfter": .array(keysAfter.map { .string($0.text) }),
        ]
    }
}

/// The body of `POST /v1/apps`.
///
/// ```json
/// {"slug": "harbour", "name": "Harbour", "platforms": ["ios", "android"],
///  "languages": ["en-GB", "en"], "fallbackLanguage": "en-GB"}
/// ```
package struct RegistrationForm: Form {
    package let slug: AppSlug
    package let settings: AppSettings
    /// Without a word on it, the first app becomes the default one.
    package let isDefault: Bool?

    package init(slug: AppSlug, settings: AppSettings, isDefault: Bool? = nil) {
        self.slug = slug
        self.settings = settings
        self.isDefault = isDefault
    }

    package init?(_ reader: inout ObjectReader) {
        let slug = reader.slug("slug")
        let settings = AppSettings(&reader, .usualLeftOut)
        let isDefault = reader.optionalBool("default")
        guard let slug, let settings else { return nil }
        self.init(slug: slug, settings: settings, isDefault: isDefault)
    }

    package var json: JSONObject {
        var json: JSONObject = ["slug": .string(slug.text)]
        settings.write(to: &json)
        json["default"] = isDefault.map(JSONValue.bool)
        return json
    }
}
