import PlimsollDocuments
import PlimsollDomain
import PlimsollJSON

/// The list of an app's snapshots that are kept: what somebody asks who wants to know what was live at
/// a time.
///
/// Nobody signs it: each manifest is, and a proof lies beside it.
struct SnapshotIndex: Equatable {
    struct Entry: Equatable, Sendable {
        let issue: SnapshotIssue
        /// Of the manifest.
        let digest: ContentDigest
    }

    let app: AppSlug
    /// The newest first.
    let entries: [Entry]

    static let fileName = "index.json"

    /// A page that anybody can load; older ones are found by their folders.
    static let entriesMaximum = 10_000

    var bytes: [UInt8] {
        let object: JSONObject = [
            "app": .string(app.text),
            "snapshots": .array(entries.map { .object($0.json) }),
        ]
        return object.canonicalBytes()
    }
}

extension SnapshotIndex.Entry {
    fileprivate var json: JSONObject {
        [
            "expiresAt": .string(issue.expiresAt.rfc3339),
            "issuedAt": .string(issue.issuedAt.rfc3339),
            "manifest": .string(digest.hex),
            "sequence": .integer(issue.sequence.rawValue),
        ]
    }
}
