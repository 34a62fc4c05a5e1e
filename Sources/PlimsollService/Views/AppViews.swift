package import PlimsollAPI
package import PlimsollDomain

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

extension SettingsAnswer {
    /// As an event brought them; `nil` for one that brings none.
    init?(_ recorded: RecordedEvent, of app: AppSlug, isCommitted: Bool = true) {
        guard let settings = recorded.settings else { return nil }
        self.init(
            app: app,
            settings: settings,
            position: isCommitted ? recorded.position : nil,
            by: recorded.origin.actor,
            since: recorded.recordedAt,
            reason: recorded.origin.reason
        )
    }

    /// The same, with who of these would refuse these documents.
    func read(
        _ documents: [Platform: Document],
        by readers: [ClientGeneration]
    ) -> SettingsAnswer {
        var answer = self
        answer.refusedBy = documents.keys.sorted().flatMap { platform in
            documents[platform]?.published(settings.profile).unread(by: readers) ?? []
        }.map { SimulationAnswer.Refuser($0) }
        return answer
    }
}

extension PolicyAnswer {
    static func builtIn(in scope: Scope) -> PolicyAnswer {
        PolicyAnswer(app: scope.app, source: .builtIn, decision: nil, policy: .builtIn)
    }

    /// As an event brought it into force; `nil` for one that brings none.
    init?(_ recorded: RecordedEvent, in scope: Scope, isCommitted: Bool = true) {
        let brought: (policy: Policy, source: Source)
        switch recorded.event {
        case .app(.policyChanged(let policy?)): brought = (policy, .app)
        case .service(.defaultPolicyChanged(let policy)): brought = (policy, .default)
        case .app, .change, .access, .key, .service, .export, .webhook: return nil
        }
        self.init(
            app: scope.app,
            source: brought.source,
            decision: Decision(
                position: isCommitted ? recorded.position : nil,
                by: recorded.origin.actor,
                since: recorded.recordedAt,
                reason: recorded.origin.reason
            ),
            policy: brought.policy
        )
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
