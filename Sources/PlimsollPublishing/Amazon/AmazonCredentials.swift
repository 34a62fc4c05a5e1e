/// What requests to Amazon's services are signed with.
package struct AmazonCredentials: Equatable, Sendable {
    package let accessKeyID: String
    let secretAccessKey: String
    /// Of credentials that end after some hours.
    let sessionToken: String?

    package init(accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil) {
        self.accessKeyID = accessKeyID
        self.secretAccessKey = secretAccessKey
        self.sessionToken = sessionToken
    }

    /// Takes them from where Amazon's own tools do: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`
    /// and `AWS_SESSION_TOKEN`; `nil` where they are not whole.
    package init?(environment: [String: String]) {
        guard
            let id = environment["AWS_ACCESS_KEY_ID"], !id.isEmpty,
            let secret = environment["AWS_SECRET_ACCESS_KEY"], !secret.isEmpty
        else { return nil }
        let token = environment["AWS_SESSION_TOKEN"].flatMap { $0.isEmpty ? nil : $0 }
        self.init(accessKeyID: id, secretAccessKey: secret, sessionToken: token)
    }
}

extension AmazonCredentials: CustomStringConvertible, CustomDebugStringConvertible {
    /// The secrets are left out.
    package var description: String { "credentials \(accessKeyID)" }
    package var debugDescription: String { description }
}
