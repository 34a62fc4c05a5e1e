package import PlimsollDomain
package import PlimsollJSON

/// The member `plimsoll` of an availability document, which shipped phones ignore.
///
/// The signature binds neither app nor platform nor age; this member does, for those who look:
/// a signed document cannot pass for another, or for a newer one.
package struct DocumentStamp: Equatable, Sendable {
    package let app: AppSlug
    package let platform: Platform
    package let issue: SnapshotIssue

    package init(app: AppSlug, platform: Platform, issue: SnapshotIssue) {
        self.app = app
        self.platform = platform
        self.issue = issue
    }

    package var json: JSONObject {
        let members: [JSONObject.Member] = [
            .init(key: "app", value: .string(app.text)),
            .init(key: "platform", value: .string(platform.rawValue)),
        ]
        return JSONObject(members + issue.members)
    }

    static func read(_ reader: inout ObjectReader) -> DocumentStamp? {
        let app = reader.string("app", needing: AppSlug.grammar, AppSlug.init)
        let platform = reader.string("platform", needing: "a platform", Platform.init)
        let issue = reader.issue()
        guard let app, let platform, let issue else { return nil }
        return DocumentStamp(app: app, platform: platform, issue: issue)
    }
}
