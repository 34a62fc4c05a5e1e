package import PlimsollDomain

/// What a responder wants in force at once.
package struct EmergencyRequest: Equatable, Sendable {
    package let app: AppSlug
    package let title: Title
    /// The position of the documents its author looked at; `nil` is what is live.
    package let base: Position?
    package let operations: [Operation]
    package let incident: Title
    /// Who sees to the review; `nil` is whoever acts.
    package let owner: PrincipalID?
    package let reason: Reason

    package init(
        app: AppSlug,
        title: Title,
        base: Position?,
        operations: [Operation],
        incident: Title,
        owner: PrincipalID?,
        reason: Reason
    ) {
        self.app = app
        self.title = title
        self.base = base
        self.operations = operations
        self.incident = incident
        self.owner = owner
        self.reason = reason
    }
}

/// Which versions a responder wants to run no more.
package struct BlockRequest: Equatable, Sendable {
    package let app: AppSlug
    package let platform: Platform
    /// The oldest version that still runs.
    package let below: VersionValue
    /// What people below it read.
    package let texts: TextsByLanguage
    package let title: Title
    package let incident: Title?
    package let owner: PrincipalID?
    package let reason: Reason

    package init(
        app: AppSlug,
        platform: Platform,
        below: VersionValue,
        texts: TextsByLanguage = [:],
        title: Title,
        incident: Title?,
        owner: PrincipalID?,
        reason: Reason
    ) {
        self.app = app
        self.platform = platform
        self.below = below
        self.texts = texts
        self.title = title
        self.incident = incident
        self.owner = owner
        self.reason = reason
    }
}
