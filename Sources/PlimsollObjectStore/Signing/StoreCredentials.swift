/// What makes a request one of ours: never written to a log.
package struct StoreCredentials: Equatable, Sendable {
    package let accessKey: String
    let secretKey: String
    let sessionToken: String?

    package init(accessKey: String, secretKey: String, sessionToken: String? = nil) {
        self.accessKey = accessKey
        self.secretKey = secretKey
        self.sessionToken = sessionToken
    }

    /// Takes them from where every program that speaks to such stores looks; `nil` where none are
    /// given, and requests go out unsigned.
    package init?(environment: [String: String]) {
        guard
            let accessKey = environment["AWS_ACCESS_KEY_ID"], !accessKey.isEmpty,
            let secretKey = environment["AWS_SECRET_ACCESS_KEY"], !secretKey.isEmpty
        else { return nil }
        let token = environment["AWS_SESSION_TOKEN"].flatMap { $0.isEmpty ? nil : $0 }
        self.init(accessKey: accessKey, secretKey: secretKey, sessionToken: token)
    }
}

extension StoreCredentials: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { "<redacted>" }
    package var debugDescription: String { description }
}
