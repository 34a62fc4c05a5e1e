package import PlimsollDomain
package import PlimsollJSON

/// What a device would show, and which rule decides it.
package struct SimulationAnswer: Answer {
    package let app: AppSlug
    package let platform: Platform
    /// The position whose state was read.
    package let position: Position
    package let verdict: DeviceVerdict
    package let title: String?
    package let description: String?
    /// Which rule decided, as a sentence.
    package let because: String

    package init(app: AppSlug, platform: Platform, position: Position, outcome: DeviceOutcome) {
        self.app = app
        self.platform = platform
        self.position = position
        verdict = outcome.verdict
        title = outcome.title
        description = outcome.description
        because = outcome.because
    }

    package init?(_ reader: inout ObjectReader) {
        let app = reader.slug("app")
        let platform = reader.platform("platform")
        let position = reader.position("position")
        let verdict = reader.name("verdict", as: DeviceVerdict.self)
        let title = reader.optionalString("title")
        let description = reader.optionalString("description")
        let because = reader.string("because")
        guard let app, let platform, let position, let verdict, let because else { return nil }
        (self.app, self.platform, self.position) = (app, platform, position)
        (self.verdict, self.title) = (verdict, title)
        (self.description, self.because) = (description, because)
    }

    package var json: JSONObject {
        [
            "app": .string(app.text),
            "platform": .string(platform.rawValue),
            "position": JSONValue(position),
            "verdict": .string(verdict.rawValue),
            "runs": .bool(verdict.runs),
            "title": JSONValue(title),
            "description": JSONValue(description),
            "because": .string(because),
        ]
    }
}
