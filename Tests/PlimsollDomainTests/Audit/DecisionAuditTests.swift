import Foundation
import PlimsollDomain
import PlimsollTestSupport
import Testing

/// What the audit makes of histories that nobody could have brought about.
struct DecisionAuditTests {
    /// Somebody who acts with a token of their own.
    struct Person {
        let principal = PrincipalID(UUID())
        let token = TokenID(UUID())
        var origin: Origin {
            Origin(
                actor: principal,
                authentication: .token(token),
                correlation: UUID(),
                reason: try? Reason(validating: "Because.")
            )
        }
    }

    let service = Origin(actor: .system, authentication: .service, correlation: UUID())
    var events: [RecordedEvent] = []
    var logState = LogState()
    let alice = Person()
    let bob = Person()

    init() throws {
        try perform(registration(of: harbour), service)
        try admit(alice, [.proposer])
        try admit(bob, [.approver, .responder])
    }

    mutating func admit(_ person: Person, _ roles: [Role], until end: Instant? = nil) throws {
        let digits =
            String(repeating: "0", count: 32) + person.token.description.filter(\.isHexDigit)
        let record = TokenRecord(
            id: person.token,
            principal: person.principal,
            secret: try #require(SecretDigest(hex: digits)),
            expiresAt: end
        )
        let grants = roles.map { RoleGrant($0, in: .app(harbour)) }
        try perform(IssueToken(token: record, grants: grants, by: .system), service)
    }

    var now: Instant {
        Instant(millisecondsSince1970: 1_795_000_000_000 + Int64(events.count) * 1000)
    }

    mutating func perform(_ command: some Command, _ origin: Origin) throws {
        record(
            try command.decide(in: logState, at: now).events.map { ($0.stream, $0.event) },
            origin
        )
    }

    mutating func record(_ append: [(StreamName, Event)], _ origin: Origin, _ at: Instant? = nil) {
        let (command, now) = (CommandID(UUID()), at ?? now)
        for (stream, event) in append {
            let recorded = RecordedEvent(
                position: logState.position.advanced(by: 1),
                id: UUID(),
                stream: stream,
                revision: logState.revision(of: stream).next,
                recordedAt: now,
                command: command,
                origin: origin,
                event: event
            )
            logState.evolve(recorded)
            events.append(recorded)
        }
    }

    mutating func propose(_ version: String) throws {
        try perform(raise(to: version, base: logState.position, by: alice.principal), alice.origin)
    }

    mutating func approve(_ id: ChangeID, by person: Person) throws {
        try perform(
            approval(of: id, seen: hash(of: id), by: person.principal),
            person.origin
        )
    }

    func hash(of id: ChangeID) throws -> ChangeDigest {
        let change = try #require(logState.openChange(id))
        let app = try #require(logState.app(harbour))
        return testHash(change.content(against: app))
    }

    /// The first event that does not follow, if there is one.
    func doubt() -> UnfoundedEvent? {
        var audit = DecisionAudit(hash: testHash, isSigned: testSignatures)
        do throws(UnfoundedEvent) {
            for event in events { try audit.take(event) }
            try audit.end()
            #expect(audit.logState == logState)
            return nil
        } catch {
            return error
        }
    }

    @Test mutating func `an override that was asked for follows, and one that was not does not`()
        throws
    {
        let policy = Policy(
            checks: [.placeholderLeft: CheckRule(.refuse, overridableBy: .approver)]
        )
        try perform(
            ChangePolicy(of: .all, to: policy, seen: nil, reason: nil, by: .system),
            service
        )
        let words = try text("TBD")
        let edit = Operation(.ios, .minimumApp, .setText(.description, tag("en"), words))
        try perform(
            PlimsollTestSupport.propose([edit], base: logState.position, by: alice.principal),
            alice.origin
        )
        let digest = try hash(of: .first)
        let override = OverrideCheck(
            change: .first,
            seen: digest,
            check: .placeholderLeft,
            reason: try Reason(validating: "Because."),
            by: bob.principal,
            hash: testHash
        )
        try perform(override, bob.origin)
        try approve(.first, by: bob)
        #expect(doubt() == nil)
        let second = ChangeID.first.next
        try propose("15.0")
        let event = Event.change(.checkOverridden(.textLong, digest: try hash(of: second)))
        record([(.change(second), event)], bob.origin)
        #expect(doubt()?.reason == .refused(Refusal(.nothingChanges)))
    }

    @Test mutating func `releases follow from those who may say so, and from nobody else`() throws {
        let release = Release(
            platform: .ios,
            version: dotted("3.2.0"),
            facts: ReleaseFacts(system: dotted("15.0"))
        )
        let (version, person) = (release.version, alice.principal)
        let shares = VersionShares(rows: [.init(app: version, system: nil, devices: 7)])
        let edits = [ReleaseEdit.system(nil), .liveSince(now)]
        let commands: [any Command] = [
            RegisterRelease(release, of: harbour, reason: nil, by: person),
            AmendRelease(version, on: .ios, of: harbour, edits: edits, reason: nil, by: person),
            WithdrawRelease(version, on: .ios, of: harbour, reason: nil, by: person),
            ReplaceVersionShares(of: harbour, on: .ios, with: shares, reason: nil, by: person),
        ]
        for command in commands { try perform(command, alice.origin) }
        #expect(doubt() == nil)
        record([(.app(harbour), .app(.releaseRegistered(release)))], bob.origin)
        let objection = Objection.roleMissing(.proposer, .app(harbour))
        #expect(doubt()?.reason == .refused(Refusal(objection)))
    }

    @Test mutating func `whatever commands lead to is found to follow`() throws {
        try propose("15.0")
        try approve(.first, by: bob)
        let before = logState.position
        let past = try #require(logState.app(harbour)).documents
        try propose("16.0")
        try approve(ChangeID.first.next, by: bob)
        try perform(OrderRenewal(app: harbour), service)
        try perform(
            RollBack(
                app: harbour,
                platforms: [.ios],
                request: .event(before),
                past: PastState(position: before, documents: past),
                reason: try Reason(validating: "Back."),
                by: bob.principal
            ),
            bob.origin
        )
        try propose("17.0")
        let third = ChangeID.first.next.next
        try perform(
            WithdrawChange(
                change: third,
                seen: hash(of: third),
                by: alice.principal,
                hash: testHash
            ),
            alice.origin
        )
        try perform(RevokeToken(token: alice.token, by: alice.principal), alice.origin)
        try perform(EraseName(of: alice.principal, by: .system), service)
        #expect(doubt() == nil)
    }

    @Test mutating func `whatever becomes of a webhook is found to follow`() throws {
        let id = WebhookID(UUID())
        let key = try #require(WebhookKeyID("0123456789abcdef"))
        let warden = Person()
        try admit(warden, [.admin])
        let url = try #require(WebhookURL("https://hooks.example.com/"))
        let settings = WebhookSettings(url: url, scope: .app(harbour))
        let by = warden.principal
        try perform(RegisterWebhook(id, settings, key: key, by: by), warden.origin)
        try perform(RotateWebhookSecret(of: id, key: key, by: by), warden.origin)
        try perform(ReplayToWebhook(id, since: Position(1), until: nil, by: by), warden.origin)
        try perform(DisableWebhook(id, because: "it answered 410"), service)
        try perform(EnableWebhook(id, reason: nil, by: by), warden.origin)
        try perform(DisableWebhook(id, reason: nil, by: by), warden.origin)
        try perform(RemoveWebhook(id, reason: nil, by: by), warden.origin)
        #expect(doubt() == nil)
    }

    @Test mutating func `a webhook of somebody who may not have it is named`() throws {
        let key = try #require(WebhookKeyID("0123456789abcdef"))
        let url = try #require(WebhookURL("https://hooks.example.com/"))
        let settings = WebhookSettings(url: url, scope: .app(harbour))
        let event = WebhookEvent.webhookRegistered(WebhookID(UUID()), settings, key)
        record([(.webhooks, .webhook(event))], bob.origin)
        #expect(doubt()?.reason == .refused(Refusal(.roleMissing(.admin, .app(harbour)))))
    }

    @Test mutating func `the life of a key follows, and a turn without the right is named`() throws
    {
        let key = KeyRecord(id: KeyID(UUID()), app: harbour, publicKey: [2])
        try perform(AddKey(key, reason: nil, by: .system), service)
        for turn in [TurnKey.Turn.activate, .retire, .activate, .compromise] {
            let seen = logState.keyring.keys[key.id]?.since
            try perform(TurnKey(key.id, turn, seen: seen, reason: nil, by: .system), service)
        }
        #expect(doubt() == nil)
        record([(.keys, .key(.keyRetired(key.id, app: harbour)))], bob.origin)
        #expect(doubt()?.reason == .refused(Refusal(.roleMissing(.admin, .app(harbour)))))
    }

    @Test mutating func `an approval by the author is named`() throws {
        try propose("15.0")
        let digest = try hash(of: .first)
        let position = logState.position
        record(
            [
                (.change(.first), .change(.changeApproved(digest: digest, comment: nil))),
                (
                    .app(harbour),
                    .app(.thresholdSet(.ios, .minimumApp, dotted("15.0")))
                ),
                (.change(.first), .change(.changeApplied(app: harbour, digest: digest))),
            ],
            alice.origin
        )
        let found = try #require(doubt())
        #expect(found.position == position.advanced(by: 1))
        let requirement = ApprovalRequirement(1, of: .approver)
        let objection = Objection.notAskedToApprove(.first, .raiseMinimum, requirement)
        #expect(found.reason == .refused(Refusal(objection)))
    }

    @Test mutating func `a field event that the approved change does not make is named`() throws {
        try propose("15.0")
        let digest = try hash(of: .first)
        let position = logState.position
        record(
            [
                (.change(.first), .change(.changeApproved(digest: digest, comment: nil))),
                (
                    .app(harbour),
                    .app(.thresholdSet(.ios, .minimumApp, dotted("99.0")))
                ), (.change(.first), .change(.changeApplied(app: harbour, digest: digest))),
            ],
            bob.origin
        )
        let found = try #require(doubt())
        #expect(found.position == position.advanced(by: 2))
        #expect(found.reason == .another)
    }

    @Test mutating func `a field event without a change is named`() throws {
        record(
            [(.app(harbour), .app(.thresholdSet(.ios, .minimumApp, dotted("99.0"))))],
            bob.origin
        )
        #expect(doubt()?.reason == .noCommand)
    }

    @Test mutating func `an append that was cut short or goes on is named`() throws {
        try propose("15.0")
        let whole = events
        events.removeLast()
        #expect(cutDoubt()?.reason != nil)
        events = whole
        try perform(OrderRenewal(app: harbour), service)
        let last = try #require(events.last)
        events.append(last.moved(by: 1))
        let found = cutDoubt()
        #expect(found?.reason == .another)
        #expect(found?.position == last.position.advanced(by: 1))
    }

    private func cutDoubt() -> UnfoundedEvent? {
        var audit = DecisionAudit(hash: testHash, isSigned: testSignatures)
        do throws(UnfoundedEvent) {
            for event in events { try audit.take(event) }
            try audit.end()
            return nil
        } catch {
            return error
        }
    }

    @Test mutating func `a role that somebody gives themselves is named`() throws {
        record(
            [(.access, .access(.roleGranted(bob.principal, RoleGrant(.admin, in: .all))))],
            bob.origin
        )
        guard case .refused(let refusal) = doubt()?.reason else {
            Issue.record("it was not refused")
            return
        }
        #expect(refusal.objections.contains(.roleMissing(.admin, .all)))
    }

    @Test mutating func `a token of somebody else, a revoked and an expired one are named`() throws
    {
        let stolen = Origin(
            actor: bob.principal,
            authentication: .token(alice.token),
            correlation: UUID()
        )
        let before = (events, logState)
        let renewal: [(StreamName, Event)] = [(.app(harbour), .app(.renewalOrdered))]
        record(renewal, stolen)
        #expect(doubt()?.reason == .notAuthentic)
        (events, logState) = before
        try perform(RevokeToken(token: bob.token, by: .system), service)
        record(renewal, bob.origin)
        #expect(doubt()?.reason == .notAuthentic)
        (events, logState) = before
        let guest = Person()
        try admit(guest, [.viewer], until: now.advanced(by: .seconds(1)))
        record(renewal, guest.origin)
        #expect(doubt()?.reason == .notAuthentic)
    }

    @Test mutating func `what only the service does is named where somebody else did it`() throws {
        record([(.app(harbour), .app(.renewalOrdered))], bob.origin)
        #expect(doubt()?.reason == .serviceOnly)
    }

    @Test mutating func `a rollback to another state than that of its target is named`() throws {
        try propose("15.0")
        try approve(.first, by: bob)
        let approved = logState.position
        try propose("16.0")
        try approve(ChangeID.first.next, by: bob)
        let target = RollbackRecord(
            target: approved,
            request: .event(approved),
            platforms: [.ios]
        )
        record(
            [
                (.app(harbour), .app(.rolledBack(target))),
                (.app(harbour), .app(.thresholdSet(.ios, .minimumApp, dotted("14.0")))),
            ],
            bob.origin
        )
        #expect(doubt()?.reason == .another)
    }

    @Test mutating func `an append of two minds is named`() throws {
        try propose("15.0")
        let last = try #require(events.last)
        events.removeLast()
        events.append(last.by(service))
        #expect(cutDoubt()?.reason == .anotherOrigin)
        #expect(cutDoubt()?.position == last.position)
    }
}
