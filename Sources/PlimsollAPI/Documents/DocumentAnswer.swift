package import PlimsollDomain
package import PlimsollJSON

/// A document at a moment, as `GET /v1/apps/{app}/documents/{platform}` answers it.
package struct DocumentAnswer: Answer {
    package let app: AppSlug
    package let platform: Platform
    /// The position whose state it is: the last of a whole append.
    package let position: Position
    /// The members that phones see.
    package let document: JSONObject
    /// How many offers of its own the platform has, which no phone sees here.
    package let offerCount: Int64

    package init(
        app: AppSlug,
        platform: Platform,
        position: Position,
        document: JSONObject,
        offerCount: Int64 = 0
    ) {
        self.app = app
        self.platform = platform
        self.position = position
        self.document = document
        self.offerCount = offerCount
    }

    package init?(_ reader: inout ObjectReader) {
        let app = reader.slug("app")
        let platform = reader.platform("platform")
        let position = reader.position("position")
        let document = reader.object("document")
        let offerCount = reader.integer("offerCount")
        guard let app, let platform, let position, let document, let offerCount else { return nil }
        self.init(
            app: app,
            platform: platform,
            position: position,
            document: document,
            offerCount: offerCount
        )
    }

    package var json: JSONObject {
        [
            "app": .string(app.text),
            "platform": .string(platform.rawValue),
            "position": JSONValue(position),
            "document": .object(document),
            "offerCount": .integer(offerCount),
        ]
    }
}
