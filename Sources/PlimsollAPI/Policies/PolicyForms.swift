package import PlimsollDomain
package import PlimsollJSON

/// The body of `PUT /v1/policy` and of `PUT /v1/apps/{app}/policy`, and what a file says: the members
/// of the policy, and why.
package struct PolicyForm: Form {
    package let policy: Policy
    package let reason: Reason?

    package init(policy: Policy, reason: Reason? = nil) {
        self.policy = policy
        self.reason = reason
    }

    package init?(_ reader: inout ObjectReader) {
        let policy = Policy(&reader)
        let reason = reader.optionalReason("reason")
        guard let policy else { return nil }
        self.init(policy: policy, reason: reason)
    }

    package var json: JSONObject {
        var json = policy.json
        json["reason"] = JSONValue(reason?.text)
        return json
    }
}
