package import PlimsollAPI
package import PlimsollDomain

/// An app as people see it.
package struct AppView: Equatable, Sendable {
    package let slug: AppSlug
    package let settings: AppSettings
    package let isDefault: Bool
    /// The last position of the log that the answer takes in.
    package let position: Position
    /// What was last published of it, if anything was.
    package let published: PublicationRecord?
    /// What keeps its changes from applying: its own freeze, or that of everything.
    package let freeze: FreezeAnswer?
    /// The freezes that are planned and not over, soonest first; only as it is now.
    package let freezePlans: [FreezePlanAnswer]

    package init(
        slug: AppSlug,
        settings: AppSettings,
        isDefault: Bool,
        position: Position,
        published: PublicationRecord?,
        freeze: FreezeAnswer?,
        freezePlans: [FreezePlanAnswer] = []
    ) {
        self.slug = slug
        self.settings = settings
        self.isDefault = isDefault
        self.position = position
        self.published = published
        self.freeze = freeze
        self.freezePlans = freezePlans
    }
}

/// What becomes of the addresses without a name when they are another app's.
package struct DefaultAppView: Sendable {
    package let app: App
    package let former: App?
    /// Of the event; of a dry run, the lowest that it can have.
    package let position: Position
    package let keyring: Keyring
    /// What was last published of the former one.
    package let published: PublicationRecord?
}

/// The documents of all platforms of an app, as they were at one moment.
package struct AppDocumentsView: Equatable, Sendable {
    package let app: AppSlug
    /// In the order of the platforms.
    package let documents: [Document]
    package let princeClients: PrinceOfVersionsClients
    package let releases: ReleasesTold
    /// The time of the moment, by which stores have a release or do not.
    package let at: Instant
    /// The position whose state it is: the last of a whole append.
    package let position: Position
}

/// The settings of an app as they are, were or would be, and the event that made them so.
package struct SettingsView: Equatable, Sendable {
    package let app: AppSlug
    package let settings: AppSettings
    /// `nil` in a dry run.
    package let position: Position?
    package let by: PrincipalID
    package let since: Instant
    package let reason: Reason?
    /// The apps in people's hands that refuse what is live under these settings; of settings of
    /// earlier nothing is said.
    package private(set) var unread: [UnreadDocument] = []

    /// `nil` for an event that brings no settings.
    init?(_ recorded: RecordedEvent, of app: AppSlug, isCommitted: Bool = true) {
        guard let settings = recorded.settings else { return nil }
        self.app = app
        self.settings = settings
        position = isCommitted ? recorded.position : nil
        by = recorded.origin.actor
        since = recorded.recordedAt
        reason = recorded.origin.reason
    }
}

extension SettingsView {
    /// The same, with who of these would refuse these documents.
    func read(
        _ documents: [Platform: Document],
        by readers: [ClientGeneration]
    ) -> SettingsView {
        var view = self
        view.unread = documents.keys.sorted().flatMap { platform in
            documents[platform]?.published(settings.profile).unread(by: readers) ?? []
        }
        return view
    }
}

/// A policy as it is, was or would be in force, and the event that made it so.
package struct PolicyView: Equatable, Sendable {
    package let scope: Scope
    package let policy: Policy
    /// Whether it is the app's own; the default of all is nobody's own.
    package let isOwn: Bool
    /// `nil` for the built-in one.
    package let decision: Decision?
    /// What it asks for that nobody can give as things are; nothing is said of earlier ones.
    package internal(set) var gaps: [PolicyGap] = []

    /// Who made it so, when and why.
    package struct Decision: Equatable, Sendable {
        /// `nil` in a dry run.
        package let position: Position?
        package let by: PrincipalID
        package let at: Instant
        package let reason: Reason?
    }

    static func builtIn(in scope: Scope) -> PolicyView {
        PolicyView(scope: scope, policy: .builtIn, isOwn: false, decision: nil)
    }

    /// `nil` for an event that brings no policy into force.
    init?(_ recorded: RecordedEvent, in scope: Scope, isCommitted: Bool = true) {
        switch recorded.event {
        case .app(.policyChanged(let policy?)): (self.policy, isOwn) = (policy, true)
        case .service(.defaultPolicyChanged(let policy)): (self.policy, isOwn) = (policy, false)
        case .app, .change, .access, .key, .service, .export, .webhook: return nil
        }
        self.scope = scope
        decision = Decision(
            position: isCommitted ? recorded.position : nil,
            by: recorded.origin.actor,
            at: recorded.recordedAt,
            reason: recorded.origin.reason
        )
    }

    private init(scope: Scope, policy: Policy, isOwn: Bool, decision: Decision?) {
        self.scope = scope
        self.policy = policy
        self.isOwn = isOwn
        self.decision = decision
    }
}

/// A signing key and where it stands, or would stand, in its life.
package struct KeyView: Equatable, Sendable {
    package let record: KeyRecord
    package let state: KeyState
    /// The event that brought it there; `nil` in a dry run.
    package let since: Position?

    init(_ key: Key, isCommitted: Bool = true) {
        record = key.record
        state = key.state
        since = isCommitted ? key.since : nil
    }
}

/// The releases of an app that are known, or were.
package struct ReleasesView: Equatable, Sendable {
    package let app: AppSlug
    /// The last position of the log that the answer takes in.
    package let position: Position
    package let book: ReleaseBook
}

extension FreezeAnswer {
    package init(_ freeze: Freeze) {
        self.init(
            app: freeze.scope.app,
            by: freeze.by,
            since: freeze.since,
            until: freeze.until,
            reason: freeze.reason
        )
    }
}

extension FreezePlanAnswer {
    /// One in a dry run has no position.
    package init(_ plan: FreezePlan, isCommitted: Bool = true) {
        self.init(
            plan: isCommitted ? plan.id : nil,
            app: plan.scope.app,
            window: plan.window,
            by: plan.by,
            reason: plan.reason
        )
    }
}
