package import PlimsollDomain
package import PlimsollJSON

/// The body of `POST /v1/apps/{app}/block`.
///
/// ```json
/// {"platform": "ios", "below": "3.2.0", "reason": "3.1 loses bookings", "incident": "INC-731"}
/// ```
/// The incident may have no number yet.
package struct BlockForm: Form {
    package let platform: Platform
    /// The oldest version that still runs.
    package let below: VersionValue
    package let reason: Reason
    package let incident: Title?
    package let owner: PrincipalID?

    package init(
        platform: Platform,
        below: VersionValue,
        reason: Reason,
        incident: Title? = nil,
        owner: PrincipalID? = nil
    ) {
        self.platform = platform
        self.below = below
        self.reason = reason
        self.incident = incident
        self.owner = owner
    }

    package init?(_ reader: inout ObjectReader) {
        let platform = reader.platform("platform")
        let below = reader.version("below", on: platform)
        let reason = reader.reason("reason")
        let incident = reader.optionalTitle("incident")
        let owner = reader.optionalPrincipal("owner")
        guard let platform, let below, let reason else { return nil }
        self.init(
            platform: platform,
            below: below,
            reason: reason,
            incident: incident,
            owner: owner
        )
    }

    package var json: JSONObject {
        [
            "platform": .string(platform.rawValue),
            "below": JSONValue(below),
            "reason": .string(reason.text),
            "incident": JSONValue(incident?.text),
            "owner": JSONValue(owner?.text),
        ]
    }

    /// What the change is called.
    package var title: Title {
        do throws(TextFault) {
            return try Title(validating: "Block \(platform.name) versions below \(below)")
        } catch {
            preconditionFailure("a platform and a version make a title")
        }
    }
}
