/// A proposal as its events have left it.
package struct Change: Equatable, Sendable {
    package let id: ChangeID
    package let app: AppSlug
    package let title: Title
    package let base: Position
    package let author: PrincipalID
    package let proposedAt: Instant
    package private(set) var operations: [Operation] = []
    package private(set) var state = ChangeState.proposed

    init(
        id: ChangeID,
        app: AppSlug,
        title: Title,
        base: Position,
        author: PrincipalID,
        proposedAt: Instant
    ) {
        self.id = id
        self.app = app
        self.title = title
        self.base = base
        self.author = author
        self.proposedAt = proposedAt
    }

    /// What it would do to the app as it stands now.
    package func content(against app: App) -> ChangeContent {
        ChangeContent(
            app: self.app,
            operations: operations,
            effect: app.effect(of: operations)
        )
    }

    mutating func evolve(_ event: ChangeEvent) {
        switch event {
        case .changeProposed: preconditionFailure("a change is proposed once, by its first event")
        case .operationsAdded(let more): operations += more
        case .changeApproved: state = .approved
        case .changeRejected: state = .rejected
        case .changeWithdrawn: state = .withdrawn
        case .changeApplied: state = .applied
        }
    }
}

/// Where a change stands.
package enum ChangeState: String, CaseIterable, Sendable {
    /// Waits for approval, rejection or withdrawal.
    case proposed
    /// Has the approvals it needs; becomes applied in the same append.
    case approved
    /// Is live, or was.
    case applied
    case rejected
    case withdrawn

    package var isOpen: Bool {
        switch self {
        case .proposed, .approved: true
        case .applied, .rejected, .withdrawn: false
        }
    }
}

extension App {
    /// What operations would change, field by field, in the order of the paths.
    package func effect(of operations: [Operation]) -> [FieldChange] {
        let after = documents(applying: operations)
        return settings.platforms.sorted().flatMap { platform in
            document(platform).changes(to: after[platform] ?? document(platform))
        }
    }

    /// The app's documents as they would be after the operations.
    package func documents(applying operations: [Operation]) -> [Platform: Document] {
        var after = documents
        for operation in operations {
            after[operation.platform]?.apply(operation)
        }
        return after
    }
}
