package import PlimsollDomain
package import PlimsollJSON

/// A release that is known.
package struct ReleaseAnswer: Answer {
    package let release: Release

    package init(_ release: Release) { self.release = release }

    package init?(_ reader: inout ObjectReader) {
        let platform = reader.platform("platform")
        let version = reader.version("version", on: platform)
        let facts = ReleaseFacts(&reader)
        guard let platform, let version, let facts else { return nil }
        self.init(Release(platform: platform, version: version, facts: facts))
    }

    package var json: JSONObject { release.json }
}

/// The releases of an app that are known, or were.
package struct ReleaseList: Answer {
    package let app: AppSlug
    /// The position whose state was read.
    package let position: Position
    package let releases: [Release]

    package init(app: AppSlug, position: Position, releases: [Release]) {
        self.app = app
        self.position = position
        self.releases = releases
    }

    package init?(_ reader: inout ObjectReader) {
        let app = reader.slug("app")
        let position = reader.position("position")
        let releases = reader.objects("releases", .ignored, ReleaseAnswer.init)
        guard let app, let position, let releases else { return nil }
        self.init(app: app, position: position, releases: releases.map(\.release))
    }

    package var json: JSONObject {
        [
            "app": .string(app.text), "position": JSONValue(position),
            "releases": .array(releases.map { .object($0.json) }),
        ]
    }
}
