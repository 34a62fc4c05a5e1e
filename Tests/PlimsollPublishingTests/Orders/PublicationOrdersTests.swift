import Foundation
import PlimsollDocuments
import PlimsollDomain
import PlimsollPublishing
import PlimsollTestSupport
import Testing

@Suite struct PublicationOrdersTests {
    private var log = LogBuilder()
    private let key = KeyRecord(id: KeyID(UUID()), app: harbour, publicKey: [1])

    init() throws {
        try log.register(key)
    }

    private func platform(
        _ platform: Platform,
        of app: AppSlug = harbour
    ) -> PublicationOrder? {
        WireFormat.all.first { $0.platform == platform }
            .flatMap { log.orders.order(of: app, $0) }
    }

    @Test func `an app that was never registered has no order`() {
        #expect(log.orders.order(of: slug("quay")) == nil)
        #expect(platform(.ios, of: slug("quay")) == nil)
        #expect(log.edition(of: slug("quay")) == nil)
    }

    @Test func `activating the first key orders every platform`() {
        let order = PublicationOrder(
            sequence: SnapshotSequence(orderedBy: Position(4)),
            issuedAt: log.now,
            position: Position(4)
        )
        #expect(log.orders.order(of: harbour) == order)
        #expect(platform(.ios) == order)
        #expect(platform(.android) == order)
    }

    @Test mutating func `a change orders only the platforms it writes to`() {
        let before = platform(.android)
        log.apply((.ios, dotted("3.2.0")))
        #expect(platform(.ios) == log.orders.order(of: harbour))
        #expect(platform(.ios)?.sequence == SnapshotSequence(orderedBy: Position(6)))
        #expect(platform(.android) == before)
    }

    @Test mutating func `a change of both platforms gives them one order`() {
        log.apply((.ios, dotted("3.2.0")), (.android, code(9)))
        #expect(platform(.ios) == platform(.android))
        #expect(platform(.ios)?.position == Position(7))
    }

    @Test mutating func `a rollback's order ends with its append and knows what follows it`() {
        log.apply((.ios, dotted("3.2.0")), (.android, code(9)))
        let android = platform(.android)
        log.rollBack(.ios, to: dotted("3.0"))
        let order = log.orders.order(of: harbour)
        #expect(order?.sequence == SnapshotSequence(orderedBy: Position(8)))
        #expect(order?.position == Position(9))
        #expect(platform(.ios) == order)
        #expect(platform(.android) == android)
    }

    @Test mutating func `an order rests on the policy that was in force when it was given`() {
        func policy() -> Position? { log.orders.basis(of: harbour)?.policy }
        #expect(policy() == .start)
        log.append([(.service, .service(.defaultPolicyChanged(.builtIn)))])
        let usual = log.logState.position
        #expect(policy() == .start)
        log.renew()
        #expect(policy() == usual)
        log.append([(.app(harbour), .app(.policyChanged(.builtIn)))])
        let own = log.logState.position
        log.append([(.service, .service(.defaultPolicyChanged(.builtIn)))])
        let newer = log.logState.position
        log.renew()
        #expect(policy() == own)
        log.append([(.app(harbour), .app(.policyChanged(nil)))])
        log.renew()
        #expect(policy() == newer)
    }

    @Test mutating func `a renewal orders every platform`() {
        log.apply((.ios, dotted("3.2.0")))
        log.renew()
        #expect(platform(.ios) == platform(.android))
        #expect(platform(.ios)?.sequence == SnapshotSequence(orderedBy: log.logState.position))
    }

    @Test mutating func `offers order what Prince of Versions is told, and no other document`() {
        let before = platform(.ios)
        log.append([
            (.app(harbour), .app(.offersReplaced(.ios, [.nothing(on: .ios)]))),
            (.change(.first), .change(.changeApplied(app: harbour, digest: sampleDigest()))),
        ])
        #expect(platform(.ios) == before)
        #expect(log.orders.order(of: harbour, .princeOfVersions) == log.orders.order(of: harbour))
        #expect(log.orders.order(of: harbour, .princeOfVersions)?.position == log.logState.position)
        #expect(log.edition()?.state.documents.map(\.offers.count) == [0, 1])
        #expect(log.orders.basis(of: harbour)?.changes.map(\.position) == [log.logState.position])
    }

    @Test mutating func `a release orders what offers are derived from`() {
        let before = platform(.ios)
        let facts = ReleaseFacts(system: dotted("15"), liveSince: log.now)
        let release = Release(platform: .ios, version: dotted("3.2.0"), facts: facts)
        let later = Release(platform: .ios, version: dotted("3.3.0"), facts: ReleaseFacts())
        for release in [release, later] {
            log.append([(.app(harbour), .app(.releaseRegistered(release)))])
            #expect(platform(.ios) == before)
            #expect(
                log.orders.order(of: harbour, .princeOfVersions)?.position == log.logState.position
            )
        }
        let source = log.edition()?.princeSource
        #expect(source?.releases[.ios]?.map(\.version.description) == ["3.2.0"])
        #expect(source?.releases[.ios]?.map(\.system?.description) == ["15.0.0"])
        #expect(source?.releasesLeftOut[.ios] == 1)
    }

    // Goal: a freeze lets no bytes move but by rollbacks and emergencies, and whatever order a
    // snapshot is made by, its bytes follow from the events up to it. Method: releases are said of
    // a frozen app; a renewal in between tells what was told before; the end orders the rest.
    @Test(arguments: [
        (StreamName.app(harbour), Event.app(.freeze(.started)), Event.app(.freeze(.ended))),
        (.service, .service(.freeze(.started)), .service(.freeze(.ended))),
    ])
    mutating func `what is said of releases during a freeze is ordered by its end`(
        _ stream: StreamName,
        _ start: Event,
        _ end: Event
    ) {
        func told() -> [String]? {
            log.edition()?.princeSource.releases[.ios]?.map(\.version.description)
        }
        func register(_ version: String) {
            let facts = ReleaseFacts(liveSince: log.now)
            let release = Release(platform: .ios, version: dotted(version), facts: facts)
            log.append([(.app(harbour), .app(.releaseRegistered(release)))])
        }
        register("3.1.0")
        log.append([(stream, start)])
        let before = log.edition()
        register("3.2.0")
        #expect(told() == ["3.1.0"])
        #expect(log.edition()?.princeOfVersions == before?.princeOfVersions)
        #expect(log.edition()?.order == before?.order)
        log.renew()
        #expect(told() == ["3.1.0"])
        log.append([(stream, end)])
        #expect(log.orders.order(of: harbour, .princeOfVersions)?.position == log.logState.position)
        #expect(told() == ["3.1.0", "3.2.0"])
    }

    // The same of one that was planned: its beginning need not be recorded for it to hold.
    @Test
    mutating func `a planned freeze holds releases back by the clock, and its end orders them`() {
        func register(_ version: String) {
            let facts = ReleaseFacts(liveSince: log.now)
            let release = Release(platform: .ios, version: dotted(version), facts: facts)
            log.append([(.app(harbour), .app(.releaseRegistered(release)))])
        }
        register("3.1.0")
        let window = FreezeWindow(
            from: log.now.advanced(by: .seconds(600)),
            until: log.now.advanced(by: .seconds(3600)),
            timeZone: .utc
        )
        log.append([(.app(harbour), .app(.freeze(.planned(window))))])
        let plan = log.logState.position
        let before = log.edition()
        log.now = window.from
        register("3.2.0")
        #expect(log.edition()?.order == before?.order)
        log.append([(.app(harbour), .app(.freeze(.planStarted(plan))))])
        #expect(log.edition()?.order == before?.order)
        log.now = window.until
        log.append([(.app(harbour), .app(.freeze(.planEnded(plan))))])
        let told = log.edition()?.princeSource.releases[.ios]?.map(\.version.description)
        #expect(told == ["3.1.0", "3.2.0"])
        #expect(log.orders.order(of: harbour, .princeOfVersions)?.position == log.logState.position)
    }

    @Test mutating func `the end of one freeze orders nothing while another lasts`() throws {
        let release = Release(platform: .ios, version: dotted("3.1.0"), facts: ReleaseFacts())
        log.append([(.app(harbour), .app(.releaseRegistered(release)))])
        log.append([(.service, .service(.freeze(.started)))])
        log.append([(.app(harbour), .app(.freeze(.started)))])
        let before = log.orders.order(of: harbour)
        log.append([(.service, .service(.freeze(.ended)))])
        #expect(log.orders.order(of: harbour) == before)
        log.append([(.app(harbour), .app(.freeze(.ended)))])
        #expect(log.orders.order(of: harbour)?.position == log.logState.position)
    }

    @Test mutating func `the end of a freeze orders nothing of an app without releases`() {
        let before = log.orders.order(of: harbour)
        log.append([(.app(harbour), .app(.freeze(.started)))])
        log.append([(.app(harbour), .app(.freeze(.ended)))])
        #expect(log.orders.order(of: harbour) == before)
    }

    @Test mutating func `a release whose time is to come is due at that time`() throws {
        let facts = ReleaseFacts(liveSince: log.now.advanced(by: .seconds(7200)))
        let release = Release(platform: .ios, version: dotted("3.2.0"), facts: facts)
        log.append([(.app(harbour), .app(.releaseRegistered(release)))])
        let since = try #require(facts.liveSince)
        let edition = try #require(log.edition())
        #expect(edition.princeSource.releases[.ios] == [])
        #expect(edition.renewAt == since)
        log.now = since
        log.renew()
        let renewed = try #require(log.edition())
        #expect(renewed.princeSource.releases[.ios]?.count == 1)
        #expect(renewed.renewAt == log.now.advanced(by: .seconds(302_400)))
    }

    @Test mutating func `what is told back to the log orders nothing`() {
        let before = log.orders.order(of: harbour)
        let record = PublicationRecord(
            sequence: SnapshotSequence(orderedBy: Position(4)),
            position: Position(4),
            manifestDigest: String(repeating: "0", count: 64),
            keys: [key.id]
        )
        log.append([(.export(harbour), .export(.snapshotPublished(record)))])
        #expect(log.orders.order(of: harbour) == before)
    }

    @Test mutating func `apps do not disturb each other`() throws {
        let before = log.orders.order(of: harbour)
        try log.register(KeyRecord(id: KeyID(UUID()), app: slug("quay"), publicKey: [2]))
        log.apply((.ios, dotted("1")), to: slug("quay"))
        #expect(log.orders.order(of: harbour) == before)
        #expect(log.edition()?.isDefault == true)
        #expect(log.edition(of: slug("quay"))?.isDefault == false)
    }

    // A phone may know documents of the app before: what it finds there now is dated after them.
    @Test mutating func `a default app is published anew, and the one before lets go`() throws {
        let quay = slug("quay")
        try log.register(KeyRecord(id: KeyID(UUID()), app: quay, publicKey: [2]))
        log.apply((.ios, dotted("3.2.0")))
        let (before, other) = (try #require(log.edition()), try #require(log.edition(of: quay)))
        log.append([(.service, .service(.defaultAppChosen(quay)))])
        let (after, chosen) = (try #require(log.edition()), try #require(log.edition(of: quay)))
        #expect(before.isDefault && !other.isDefault && !after.isDefault && chosen.isDefault)
        #expect(after.order == chosen.order && after.order.sequence > before.order.sequence)
        #expect(after.documents == before.documents)
        #expect(chosen.documents.map(\.order) == [chosen.order, chosen.order, chosen.order])
        #expect(after.basis == before.basis && chosen.basis == other.basis)
    }

    @Test mutating func `an edition dates its age from its oldest document`() throws {
        let registered = log.now
        log.apply((.ios, dotted("3.2.0")))
        let edition = try #require(log.edition())
        #expect(edition.order.issuedAt == log.now)
        #expect(edition.renewAt == registered.advanced(by: .seconds(302_400)))
        #expect(edition.documents.map(\.format.platform) == [.android, .ios, nil])
        #expect(edition.activeKeys == [key])
    }

    @Test mutating func `folding the log again gives the same orders`() {
        log.apply((.ios, dotted("3.2.0")))
        log.rollBack(.android, to: code(3))
        log.renew()
        log.apply((.android, code(4)))
        var again = PublicationOrders()
        for event in log.events { again.evolve(event) }
        #expect(again == log.orders)
    }

    @Test mutating func `what was decided last about each platform is what a snapshot rests on`()
        throws
    {
        #expect(log.orders.basis(of: slug("quay")) == nil)
        #expect(log.orders.basis(of: harbour)?.changes == [])
        log.append([(.access, .access(.principalAdded(alice)))])
        log.apply((.ios, dotted("3.2.0")), (.android, code(9)))
        let applied = log.logState.position
        let both = try #require(log.orders.basis(of: harbour))
        #expect(both.changes.map(\.position) == [applied])
        #expect(both.changes.map(\.digest) == [sampleDigest()])
        #expect(both.access == Revision(1))

        log.rollBack(.ios, to: dotted("3.0"))
        let rolled = try #require(log.orders.basis(of: harbour))
        #expect(rolled.changes == both.changes)
        #expect(rolled.rollbacks.map(\.position) == [applied.advanced(by: 1)])

        log.append([(.access, .access(.principalAdded(bob)))])
        #expect(log.orders.basis(of: harbour) == rolled)
        log.renew()
        let renewed = try #require(log.orders.basis(of: harbour))
        #expect(renewed.changes == rolled.changes)
        #expect(renewed.rollbacks == rolled.rollbacks)
        #expect(renewed.access == Revision(2))
    }

    @Test mutating func `what went back at the end of a change rests on its end`() throws {
        log.apply((.ios, dotted("3.2.0")), (.android, code(9)))
        let applied = log.logState.position
        log.append([
            (.app(harbour), .app(.thresholdSet(.ios, .minimumApp, dotted("3.0")))),
            (.change(.first), .change(.changeEnded(app: harbour))),
        ])
        let basis = try #require(log.orders.basis(of: harbour))
        #expect(basis.changes.map(\.position) == [applied])
        #expect(basis.ends == [EndOfChange(id: .first, position: log.logState.position)])
        log.rollBack(.ios, to: dotted("3.1"))
        #expect(log.orders.basis(of: harbour)?.ends == [])
    }

    @Test mutating func `the approvals of a change go with it, and those of another do not`()
        throws
    {
        let other = StreamName.change(ChangeID.first.next)
        let approved = Event.change(.changeApproved(digest: sampleDigest(), comment: nil))
        log.append([(other, approved)])
        log.append([(other, .change(.changeWithdrawn))])
        log.append([(.change(.first), approved)])
        let position = log.logState.position
        log.apply((.ios, dotted("3.2.0")))
        let change = try #require(log.orders.basis(of: harbour)?.changes.first)
        #expect(
            change.approvals
                == [ChangeApproval(by: .system, digest: sampleDigest(), position: position)]
        )
        log.apply((.android, code(9)))
        #expect(log.orders.basis(of: harbour)?.changes.last?.approvals == [])
    }
}

extension Edition {
    var princeOfVersions: EditionDocument? { documents.first { $0.format == .princeOfVersions } }

    /// What clients of Prince of Versions are told.
    var princeSource: PrinceOfVersionsExport.Source {
        PrinceOfVersionsExport.Source(state, at: princeOfVersions?.order.issuedAt ?? order.issuedAt)
    }
}
