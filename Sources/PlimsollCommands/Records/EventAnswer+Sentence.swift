import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

extension EventAnswer {
    /// What happened, in a few words.
    var sentence: String {
        let data = body.data
        func text(_ key: String) -> String {
            switch data[key] {
            case .string(let text): excerpt(text)
            case .integer(let number): String(number)
            default: ""
            }
        }
        if let place { return place + (data["value"].map { " → \(shown($0))" } ?? "") }
        switch body.type {
        case "ChangeProposed": return text("title")
        case "ChangeApproved", "ChangeRejected", "ChangeApplied", "ChangeWithdrawn",
            "OperationsAdded":
            return stream.text
        case "RolledBack": return "\(stream.text) to event \(text("target"))"
        case "SnapshotPublished": return "\(stream.text) sequence \(text("sequence"))"
        case "PublicationFailed": return "\(stream.text): \(text("cause"))"
        case "AppRegistered", "RenewalOrdered", "DefaultAppChosen": return stream.text
        case "RoleGranted":
            let scope = data["app"].map { " for \(shown($0))" } ?? " for all apps"
            return "\(text("role"))\(scope) to \(text("principal"))"
        case "PrincipalAdded": return text("principal")
        default: return text("id")
        }
    }

    /// The field that was written, if one was.
    private var place: String? {
        guard
            let platform = body.data["platform"]?.string.flatMap(Platform.init(rawValue:)),
            let threshold = body.data["threshold"]?.string.flatMap(ThresholdName.init(rawValue:))
        else { return nil }
        guard
            let part = body.data["part"]?.string.flatMap(TextPart.init(rawValue:)),
            let language = body.data["language"]?.string.flatMap({ LanguageTag($0) })
        else { return "\(platform.name) \(threshold.name)" }
        return Field(platform, threshold, .text(part, language)).name
    }

    private func shown(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): excerpt(text)
        case .integer(let number): String(number)
        default: value.kind
        }
    }
}
