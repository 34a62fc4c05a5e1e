package import PlimsollDocuments
package import PlimsollDomain

/// What the log has ordered to be published: a fold of its events.
///
/// For each app it knows the newest order, and for each platform the newest one that concerned
/// it: a change of other platforms leaves a platform's document, and so its bytes, as they were;
/// a renewal and a key concern every platform. What is told of all platforms in one document every
/// order concerns that changed a platform, its offers, or a release; what is said of releases during
/// a freeze is ordered by its end. Being a fold of the log alone, it gives
/// the same orders after any restart and whatever was published in between.
///
/// It is to be asked between appends: within one, the order may not know its last position yet.
package struct PublicationOrders: Codable, Equatable, Sendable {
    private var statuses: [AppSlug: PublicationStatus] = [:]
    private var append: OpenAppend?
    private var approvals = OpenApprovals()
    private var access = Revision.none
    private var policies = PoliciesInForce()
    private var settings = SettingsInForce()
    private var freezes = FreezesInForce()
    private var defaultApp: AppSlug?

    package init() {}

    /// The newest order for the app, if one was ever given.
    package func order(of app: AppSlug) -> PublicationOrder? {
        statuses[app]?.newest
    }

    /// The newest order for the app that concerned what the format tells.
    package func order(of app: AppSlug, _ format: WireFormat) -> PublicationOrder? {
        guard let status = statuses[app] else { return nil }
        return switch format.subject {
        case .platform(let platform): status.platforms[platform] ?? status.everyPlatform
        case .allPlatforms: status.allPlatforms ?? status.newest
        case .distribution: status.distribution
        }
    }

    /// What the app's newest order rests on; nothing is known of an app without an order.
    package func basis(of app: AppSlug) -> SnapshotBasis? {
        statuses[app]?.basis
    }

    /// Takes in the next event of the log; none is left out.
    package mutating func evolve(_ recorded: RecordedEvent) {
        if recorded.stream == .access { access = recorded.revision }
        policies.evolve(recorded)
        let altered = settings.evolve(recorded)
        let decision = approvals.evolve(recorded)
        if append?.command != recorded.command { append = OpenAppend(command: recorded.command) }
        if case (.app(let app), .app(let event)) = (recorded.stream, recorded.event),
            let operation = event.operation
        {
            append?.written[app, default: WrittenParts()].insert(operation)
        }
        if let altered {
            append?.written[altered.app, default: WrittenParts()].insert(altered.effect)
        }
        let thawed = freezes.evolve(recorded)
        let ordered = freezes.holds(recorded) ? nil : recorded.ordersPublication ?? altered?.app
        for app in thawed + [ordered].compactMap(\.self) {
            append?.orders[app] = OpenOrder(
                event: recorded,
                about: recorded.concern,
                decision: decision
            )
        }
        if case .service(.defaultAppChosen(let app)) = recorded.event { hand(to: app, recorded) }
        guard let append else { return }
        for (app, order) in append.orders {
            let written = append.written[app, default: WrittenParts()]
            statuses[app, default: PublicationStatus()].take(
                PublicationOrder(
                    sequence: order.sequence,
                    issuedAt: order.issuedAt,
                    position: recorded.position
                ),
                for: order.concern.parts(written)
            )
            if let decision = order.decision { statuses[app]?.take(decision, on: written) }
            statuses[app]?.access = access
            statuses[app]?.policy = policies.position(for: app)
            statuses[app]?.settings = settings.position(for: app)
        }
    }
}

extension PublicationOrders {
    /// The addresses without a name are another app's from now on.
    ///
    /// Its documents are dated anew, so that nobody finds an older one there than before; those of
    /// the app that stood there stay as they are, and its manifest lets the addresses go.
    private mutating func hand(to app: AppSlug, _ recorded: RecordedEvent) {
        if let former = defaultApp, former != app {
            append?.orders[former] = OpenOrder(event: recorded, about: .whatIsWritten)
        }
        append?.orders[app] = OpenOrder(event: recorded, about: .everything)
        defaultApp = app
    }
}

/// What has been ordered of one app.
private struct PublicationStatus: Codable, Equatable {
    var newest: PublicationOrder?
    /// The newest order that concerned every platform.
    var everyPlatform: PublicationOrder?
    /// The newest order of a platform, where it is newer than that.
    var platforms: [Platform: PublicationOrder] = [:]
    /// The newest order that concerned what is told of all platforms in one document.
    var allPlatforms: PublicationOrder?
    /// The newest order that concerned what marketplaces are told; `nil` where they never were.
    var distribution: PublicationOrder?
    /// Who decided last what stands on a platform, and what is offered there.
    private var decisions: [Platform: PublishedDecision] = [:]
    private var offerDecisions: [Platform: PublishedDecision] = [:]
    private var distributionDecision: PublishedDecision?
    /// The revision of the stream `access` when the newest order was given.
    var access = Revision.none
    /// Where the policy stands that was in force then.
    var policy = Position.start
    /// Where the settings stand that the app had then.
    var settings = Position.start

    var basis: SnapshotBasis {
        SnapshotBasis(
            Set(decisions.values).union(offerDecisions.values)
                .union(distributionDecision.map { [$0] } ?? []),
            access: access,
            policy: policy,
            settings: settings
        )
    }

    mutating func take(_ decision: PublishedDecision, on written: WrittenParts) {
        for platform in written.documents { decisions[platform] = decision }
        for platform in written.offers { offerDecisions[platform] = decision }
        if written.isOffered { distributionDecision = decision }
    }

    /// `nil` stands for all there is.
    mutating func take(_ order: PublicationOrder, for concerned: WrittenParts?) {
        newest = order
        guard let concerned else {
            everyPlatform = order
            allPlatforms = order
            if distribution != nil { distribution = order }
            platforms = [:]
            return
        }
        for platform in concerned.documents { platforms[platform] = order }
        if concerned.isOffered { distribution = order }
        if !concerned.isEmpty { allPlatforms = order }
    }
}

/// What of an app's documents an append writes.
private struct WrittenParts: Codable, Equatable {
    var documents: Set<Platform> = []
    var offers: Set<Platform> = []
    /// Whether what is told of all platforms differs for a reason of its own: offers are derived
    /// from other releases, or told to other clients.
    var isTold = false
    /// Whether marketplaces are told something else.
    var isOffered = false

    var isEmpty: Bool { documents.isEmpty && offers.isEmpty && !isTold }

    mutating func insert(_ operation: Operation) {
        switch operation.subject {
        case .threshold: documents.insert(operation.platform)
        case .offers, .legacy: offers.insert(operation.platform)
        case .packages: isOffered = true
        }
    }

    mutating func insert(_ effect: SettingsEffect) {
        documents.formUnion(effect.documents)
        isTold = isTold || effect.isTold
    }
}

/// The append that the last event was part of; more of it may follow.
private struct OpenAppend: Codable, Equatable {
    let command: CommandID
    var written: [AppSlug: WrittenParts] = [:]
    var orders: [AppSlug: OpenOrder] = [:]
}

private struct OpenOrder: Codable, Equatable {
    let sequence: SnapshotSequence
    let issuedAt: Instant
    let concern: Concern
    let decision: PublishedDecision?

    init(
        event recorded: RecordedEvent,
        about concern: Concern,
        decision: PublishedDecision? = nil
    ) {
        self.decision = decision
        self.concern = concern
        sequence = SnapshotSequence(orderedBy: recorded.position)
        issuedAt = recorded.recordedAt
    }
}

extension RecordedEvent {
    fileprivate var concern: Concern {
        switch event {
        case .key, .app(.renewalOrdered): .everything
        case .app(.releaseRegistered), .app(.releaseAmended), .app(.releaseWithdrawn),
            .app(.freeze), .service(.freeze):
            .releases
        case .app(.marketplace): .distribution
        case .app, .change, .access, .service, .export, .webhook: .whatIsWritten
        }
    }
}

/// What an order is about.
private enum Concern: Codable {
    case everything
    case releases
    case distribution
    /// What the append writes that it stands in.
    case whatIsWritten

    /// `nil` stands for all there is.
    func parts(_ written: WrittenParts) -> WrittenParts? {
        switch self {
        case .everything: nil
        case .releases: WrittenParts(isTold: true)
        case .distribution: WrittenParts(isOffered: true)
        case .whatIsWritten: written
        }
    }
}

/// One order to publish an app, as the log gives it.
package struct PublicationOrder: Codable, Hashable, Sendable {
    /// The position of the event that ordered it.
    package let sequence: SnapshotSequence
    /// When that event was recorded; the documents are dated with it.
    package let issuedAt: Instant
    /// The last position of the append that the event is part of.
    package let position: Position

    /// How long a published document is good for.
    package static let lifetime: Duration = .seconds(7 * 86_400)

    /// The age at which a document is ordered anew: half its life is left to find out why a
    /// renewal does not come.
    package static let renewalAge: Duration = lifetime / 2

    /// How far in the future a document may be dated before it is ordered anew: clocks of machines
    /// that are looked after are closer than that, and clients allow for more.
    package static let clockTolerance: Duration = .seconds(300)

    package init(sequence: SnapshotSequence, issuedAt: Instant, position: Position) {
        precondition(
            position.rawValue >= sequence.rawValue,
            "an append ends with, or behind, each of its events"
        )
        self.sequence = sequence
        self.issuedAt = issuedAt
        self.position = position
    }

    /// How documents that are published by this order are dated.
    package var issue: SnapshotIssue {
        SnapshotIssue(
            sequence: sequence,
            position: position,
            issuedAt: issuedAt,
            expiresAt: issuedAt.advanced(by: Self.lifetime)
        )
    }

    /// When it is time for a renewal.
    package var renewAt: Instant { issuedAt.advanced(by: Self.renewalAge) }
}
