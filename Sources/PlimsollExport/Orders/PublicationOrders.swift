package import PlimsollDocuments
package import PlimsollDomain

/// What the log has ordered to be published: a fold of its events.
///
/// For each app it knows the newest order, and for each platform the newest one that concerned
/// it: a change of other platforms leaves a platform's document, and so its bytes, as they were;
/// a renewal and a key concern every platform. Being a fold of the log alone, it gives the same
/// orders after any restart and whatever was published in between.
///
/// It is to be asked between appends: within one, the order may not know its last position yet.
package struct PublicationOrders: Equatable, Sendable {
    private var standings: [AppSlug: Standing] = [:]
    private var append: OpenAppend?
    private var approvals = OpenApprovals()
    private var access = Revision.none
    private var policies = PoliciesInForce()

    package init() {}

    /// The newest order for the app, if one was ever given.
    package func order(of app: AppSlug) -> PublicationOrder? {
        standings[app]?.newest
    }

    /// The newest order for the app that concerned the platform.
    package func order(of app: AppSlug, _ platform: Platform) -> PublicationOrder? {
        guard let standing = standings[app] else { return nil }
        return standing.platforms[platform] ?? standing.everyPlatform
    }

    /// What the app's newest order rests on; nothing is known of an app without an order.
    package func basis(of app: AppSlug) -> SnapshotBasis? {
        standings[app]?.basis
    }

    /// Takes in the next event of the log; none is left out.
    package mutating func evolve(_ recorded: RecordedEvent) {
        if recorded.stream == .access { access = recorded.revision }
        policies.evolve(recorded)
        let decision = approvals.evolve(recorded)
        if append?.command != recorded.command { append = OpenAppend(command: recorded.command) }
        if case (.app(let app), .app(let event)) = (recorded.stream, recorded.event),
            let platform = event.operation?.platform
        {
            append?.written[app, default: []].insert(platform)
        }
        if let app = recorded.ordersPublication {
            append?.orders[app] = OpenOrder(event: recorded, decision: decision)
        }
        guard let append else { return }
        for (app, order) in append.orders {
            standings[app, default: Standing()].take(
                PublicationOrder(
                    sequence: order.sequence,
                    issuedAt: order.issuedAt,
                    position: recorded.position
                ),
                for: order.concernsAll ? nil : append.written[app, default: []]
            )
            if let decision = order.decision {
                standings[app]?.take(decision, on: append.written[app, default: []])
            }
            standings[app]?.access = access
            standings[app]?.policy = policies.position(for: app)
        }
    }
}

/// What has been ordered of one app.
private struct Standing: Equatable {
    var newest: PublicationOrder?
    /// The newest order that concerned every platform.
    var everyPlatform: PublicationOrder?
    /// The newest order of a platform, where it is newer than that.
    var platforms: [Platform: PublicationOrder] = [:]
    /// Who decided last what stands on a platform.
    private var decisions: [Platform: PublishedDecision] = [:]
    /// The revision of the stream `access` when the newest order was given.
    var access = Revision.none
    /// Where the policy stands that was in force then.
    var policy = Position.start

    var basis: SnapshotBasis {
        SnapshotBasis(Set(decisions.values), access: access, policy: policy)
    }

    mutating func take(_ decision: PublishedDecision, on written: Set<Platform>) {
        for platform in written { decisions[platform] = decision }
    }

    /// `nil` stands for every platform.
    mutating func take(_ order: PublicationOrder, for concerned: Set<Platform>?) {
        newest = order
        guard let concerned else {
            everyPlatform = order
            platforms = [:]
            return
        }
        for platform in concerned { platforms[platform] = order }
    }
}

/// The append that the last event was part of; more of it may follow.
private struct OpenAppend: Equatable {
    let command: CommandID
    var written: [AppSlug: Set<Platform>] = [:]
    var orders: [AppSlug: OpenOrder] = [:]
}

private struct OpenOrder: Equatable {
    let sequence: SnapshotSequence
    let issuedAt: Instant
    let concernsAll: Bool
    let decision: PublishedDecision?

    init(event recorded: RecordedEvent, decision: PublishedDecision?) {
        self.decision = decision
        sequence = SnapshotSequence(orderedBy: recorded.position)
        issuedAt = recorded.recordedAt
        concernsAll =
            switch recorded.event {
            case .key, .app(.renewalOrdered): true
            case .app, .change, .access, .service, .export, .webhook: false
            }
    }
}
