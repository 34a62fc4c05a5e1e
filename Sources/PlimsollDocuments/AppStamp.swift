package import PlimsollDomain
package import PlimsollJSON

/// The member `plimsoll` of a document of an app as a whole, which the readers of its format ignore.
package struct AppStamp: Equatable, Sendable {
    package let app: AppSlug
    package let issue: SnapshotIssue

    package init(app: AppSlug, issue: SnapshotIssue) {
        (self.app, self.issue) = (app, issue)
    }

    package var json: JSONObject {
        JSONObject([JSONObject.Member(key: "app", value: .string(app.text))] + issue.members)
    }

    static func read(_ reader: inout ObjectReader) -> AppStamp? {
        let app = reader.string("app", needing: AppSlug.grammar, AppSlug.init)
        let issue = reader.issue()
        guard let app, let issue else { return nil }
        return AppStamp(app: app, issue: issue)
    }
}
