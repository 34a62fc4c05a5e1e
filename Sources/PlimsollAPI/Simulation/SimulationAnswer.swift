package import PlimsollDomain
package import PlimsollJSON

/// What a device would show and be offered, which rule decides it, and what it was before.
package struct SimulationAnswer: Answer {
    package let app: AppSlug
    package let platform: Platform
    package let from: DiffAnswer.Side
    /// `nil` where one state is looked at, or edits that are no state yet.
    package let to: DiffAnswer.Side?
    package let before: DeviceReading
    /// What was asked for.
    package let outcome: DeviceReading

    package init(
        app: AppSlug,
        platform: Platform,
        from: DiffAnswer.Side,
        to: DiffAnswer.Side?,
        before: DeviceReading,
        outcome: DeviceReading
    ) {
        (self.app, self.platform, self.from, self.to) = (app, platform, from, to)
        (self.before, self.outcome) = (before, outcome)
    }

    /// The position whose state was read.
    package var position: Position { (to ?? from).position }

    package init?(_ reader: inout ObjectReader) {
        let app = reader.slug("app")
        let platform = reader.platform("platform")
        let from = reader.side("from")
        let to = reader.optionalNested("to", DiffAnswer.Side.init)
        let before = reader.optionalNested("before", DeviceReading.init)
        let outcome = DeviceReading(&reader)
        guard let app, let platform, let from, let before, let outcome else { return nil }
        self.init(
            app: app,
            platform: platform,
            from: from,
            to: to,
            before: before,
            outcome: outcome
        )
    }

    package var json: JSONObject {
        var json = outcome.json
        json["app"] = .string(app.text)
        json["platform"] = .string(platform.rawValue)
        json["position"] = JSONValue(position)
        json["from"] = .object(from.json)
        json["to"] = to.map { .object($0.json) } ?? .null
        json["before"] = .object(before.json)
        json["moved"] = .bool(before != outcome)
        return json
    }
}
