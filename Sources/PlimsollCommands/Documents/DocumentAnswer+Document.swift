import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import PlimsollJSON

extension DocumentAnswer {
    /// The document that the members say.
    func parsed() throws -> Document {
        do {
            return try AvailabilityDocument(
                parsing: document.canonicalBytes(),
                platform: platform,
                profile: .minimal
            ).document
        } catch {
            throw Failure(
                .failed,
                "The service answered a document that this version of Plimsoll cannot read.",
                checks: error.checks
            )
        }
    }
}

extension JSONIssues {
    /// Each with the place it stands at.
    var checks: [Failure.Check] {
        issues.map { issue in
            let place = issue.pointer == .root ? "" : " (\(issue.pointer))"
            return Failure.Check(detail: issue.detail + place, remedy: nil)
        }
    }
}
