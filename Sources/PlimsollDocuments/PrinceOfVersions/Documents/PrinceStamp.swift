package import PlimsollDomain
package import PlimsollJSON

/// The member `plimsoll` of a document for Prince of Versions, which clients ignore.
package struct PrinceStamp: Equatable, Sendable {
    package let app: AppSlug
    package let issue: SnapshotIssue

    package init(app: AppSlug, issue: SnapshotIssue) {
        (self.app, self.issue) = (app, issue)
    }

    package var json: JSONObject {
        JSONObject([JSONObject.Member(key: "app", value: .string(app.text))] + issue.members)
    }

    static func read(_ reader: inout ObjectReader) -> PrinceStamp? {
        let app = reader.string("app", needing: AppSlug.grammar, AppSlug.init)
        let issue = reader.issue()
        guard let app, let issue else { return nil }
        return PrinceStamp(app: app, issue: issue)
    }
}
