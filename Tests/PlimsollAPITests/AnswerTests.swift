import Foundation
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import Testing

/// Answers are read leniently, and what the service writes the client reads.
@Suite struct AnswerTests {
    @Test func `a change is read as it was written`() throws {
        let change = try sampleChange()
        #expect(try ChangeAnswer(.object(change.json)) == change)
    }

    @Test func `a member that is not known yet is passed over`() throws {
        var json = try sampleChange().json
        json["mood"] = "calm"
        #expect(try ChangeAnswer(.object(json)) == sampleChange())
    }

    @Test func `a value keeps the type that its platform has`() throws {
        let code = try #require(AndroidVersion(35))
        let change = FieldChange(
            field: Field(.android, .minimumApp, .value),
            before: nil,
            after: .version(.integer(code))
        )
        #expect(change.json["after"] == 35)
        #expect(change.json["before"] == .null)
        #expect(throws: JSONIssues.self) {
            try FieldChange(["field": "android.minimumApp.value", "before": nil, "after": "35"])
        }
    }

    // Goal: no cell moves under another heading because one heading could not be read.
    @Test(arguments: ["15.x", 15] as [JSONValue])
    func `a matrix with a system that cannot be read is none`(_ system: JSONValue) throws {
        let matrix = DeviceMatrix(platform: .ios, systems: [], rows: [])
        let side = DiffAnswer.Side(name: .live, position: Position(1))
        let app = try #require(AppSlug("harbour"))
        var json = MatrixAnswer(app: app, from: side, to: nil, matrix: matrix).json
        json["systems"] = ["14.0"]
        #expect(try MatrixAnswer(.object(json)).matrix.systems.count == 1)
        json["systems"] = ["14.0", system]
        #expect(throws: JSONIssues.self) { try MatrixAnswer(.object(json)) }
    }

    @Test(arguments: [Platform.ios, .android])
    func `a matrix written straight is the same as through a tree`(_ platform: Platform) throws {
        let version = try #require(
            platform == .ios
                ? AppleVersion("3.10").map(VersionValue.dotted)
                : AndroidVersion(310).map(VersionValue.integer)
        )
        let cells = DeviceVerdict.allCases.flatMap { before in
            OfferVerdict.allCases.map { offers in
                DeviceMatrix.Cell(
                    before: before,
                    after: .osTooOld,
                    offersBefore: offers,
                    offersAfter: .noUpdate
                )
            }
        }
        let rows = [
            DeviceMatrix.Row(version: version, cells: [nil] + cells + cells),
            DeviceMatrix.Row(version: version, cells: []),
        ]
        let side = DiffAnswer.Side(name: .live, position: Position(1))
        let app = try #require(AppSlug("harbour"))
        for (rows, to) in [([], nil), (rows, side)] as [([DeviceMatrix.Row], DiffAnswer.Side?)] {
            let matrix = DeviceMatrix(
                platform: platform,
                systems: rows.isEmpty ? [] : [version, version],
                rows: rows,
                releasesLeftOut: 4,
                systemsLeftOut: 1
            )
            let answer = MatrixAnswer(app: app, from: side, to: to, matrix: matrix)
            #expect(answer.bytes == answer.json.canonicalBytes())
        }
    }

    @Test func `a blame is read as it was written`() throws {
        let blame = try sampleBlame()
        #expect(try BlameAnswer(.object(blame.json)) == blame)
    }

    @Test func `a field's history and a diff are read as they were written`() throws {
        let write = try sampleWrite()
        let app = try #require(AppSlug("harbour"))
        let history = FieldHistoryAnswer(
            app: app,
            field: write.change.field,
            writes: [write],
            next: "abc"
        )
        #expect(try FieldHistoryAnswer(.object(history.json)) == history)
        let diff = DiffAnswer(
            app: app,
            from: DiffAnswer.Side(name: .change(.first), position: Position(41)),
            to: DiffAnswer.Side(name: .live, position: Position(57)),
            changes: [write.change]
        )
        #expect(try DiffAnswer(.object(diff.json)) == diff)
    }

    @Test(arguments: ["nobody", 7, nil, ["system"]] as [JSONValue])
    func `an approver who can be nobody is not passed over`(approver: JSONValue) throws {
        var line = try sampleBlame().lines[0].json
        line["approvers"] = ["system", approver]
        let issues = try #require(throws: JSONIssues.self) {
            try BlameAnswer.Line(.object(line))
        }
        #expect(issues.issues.map(\.pointer.text) == ["/approvers/1"])
    }

    @Test func `an event says who, what and why, and reads back`() throws {
        let event = EventAnswer(try sampleEvent(.change(.changeWithdrawn)))
        #expect(event.json["type"] == "ChangeWithdrawn")
        #expect(event.json["recordedAt"] == "2026-11-21T08:00:00.250Z")
        #expect(event.json["reason"] == "No longer needed.")
        #expect(try EventAnswer(.object(event.json)) == event)
    }

    @Test func `an event says what it did to each field, and reads back`() throws {
        let (old, new) = (try #require(AppleVersion("3.1")), try #require(AppleVersion("3.2")))
        let field = Field(.ios, .minimumApp, .value)
        let recorded = try sampleEvent(.app(.thresholdSet(.ios, .minimumApp, .dotted(new))))
        let event = EventAnswer(
            recorded,
            app: AppSlug("harbour"),
            change: .first,
            fields: [
                FieldChange(
                    field: field,
                    before: .version(.dotted(old)),
                    after: .version(.dotted(new))
                )
            ]
        )
        #expect(event.sentence == "iOS minimum app 3.1 → 3.2")
        #expect(event.json["change"] == "1")
        #expect(try EventAnswer(.object(event.json)) == event)
    }

    @Test func `an event written straight is the same as through a tree`() throws {
        let field = Field(.ios, .minimumApp, .value)
        let version = try #require(AppleVersion("3.1"))
        let code = try #require(AndroidVersion(35))
        let fields = [
            FieldChange(field: field, before: nil, after: .version(.dotted(version))),
            FieldChange(
                field: Field(.android, .minimumApp, .value),
                before: .version(.integer(code)),
                after: nil
            ),
            FieldChange(
                field: Field(.ios, .minimumApp, .text(.title, try #require(LanguageTag("de")))),
                before: .text(try Text(validating: "„Neu“")),
                after: .text(try Text(validating: "A \"quote\"\nand \\."))
            ),
        ]
        for event in try sampleEvents() {
            let recorded = try sampleEvent(event)
            let answers = [
                EventAnswer(recorded),
                EventAnswer(recorded, app: AppSlug("harbour"), change: .first, fields: fields),
                EventAnswer(recorded, fields: [fields[0]]),
                EventAnswer(recorded, replacing: .policy(.builtIn, then: try laxPolicy())),
            ]
            for answer in answers { #expect(answer.bytes == answer.json.canonicalBytes()) }
            for list in [
                EventList(events: [], next: nil), EventList(events: answers, next: "2.abc"),
            ] {
                #expect(list.bytes == list.json.canonicalBytes())
            }
        }
    }

    @Test(arguments: [
        ([Field](), "harbour rolled back to the state after event 40 on iOS"),
        (
            [Field(.ios, .minimumApp, .value)],
            "A field of harbour rolled back to the state after event 40 on iOS"
        ),
        (
            [Field(.ios, .minimumApp, .value), Field(.ios, .minimumOS, .value)],
            "2 fields of harbour rolled back to the state after event 40 on iOS"
        ),
    ])
    func `a rollback of fields says so`(_ fields: [Field], _ sentence: String) throws {
        let record = RollbackRecord(
            target: Position(40),
            request: .event(Position(40)),
            platforms: [.ios],
            fields: fields.isEmpty ? nil : fields
        )
        let harbour = StreamName.app(try #require(AppSlug("harbour")))
        let event = EventAnswer(try sampleEvent(.app(.rolledBack(record)), on: harbour))
        #expect(event.sentence == sentence)
    }

    @Test func `every event has a sentence, and each another one`() throws {
        let sentences = try sampleEvents().map { event in
            // Of freezes, the stream says what is frozen.
            let stream: StreamName = if case .service = event { .service } else { .change(.first) }
            return EventAnswer(try sampleEvent(event, on: stream)).sentence
        }
        #expect(sentences.allSatisfy { !$0.isEmpty && !$0.hasSuffix(".") })
        #expect(Set(sentences).count == sentences.count)
    }

    @Test func `the record of a token does not tell its secret's digest`() throws {
        let digest = String(repeating: "ab", count: 32)
        let token = TokenRecord(
            id: TokenID(UUID()),
            principal: PrincipalID(UUID()),
            secret: try #require(SecretDigest(hex: digest)),
            expiresAt: nil
        )
        let event = EventAnswer(try sampleEvent(.access(.tokenIssued(token))))
        let text = String(decoding: event.bytes, as: UTF8.self)
        #expect(!text.contains(digest))
        #expect(text.contains(token.id.description))
    }

    @Test func `every event has a name that can be filtered by`() throws {
        for event in try sampleEvents() {
            #expect(EventBody.types.contains(event.type.rawValue))
        }
        #expect(Set(try sampleEvents().map(\.type.rawValue)) == Set(EventBody.types))
    }
}

private func sampleChange() throws -> ChangeAnswer {
    let at = try #require(Instant(rfc3339: "2026-11-21T08:00:00Z"))
    let why = try Reason(validating: "It never shipped")
    let summary = ChangeSummary(
        id: .first,
        app: try #require(AppSlug("harbour")),
        title: try Title(validating: "Raise the line"),
        author: PrincipalID(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7))),
        state: .applied,
        base: Position(42),
        proposedAt: at,
        position: Position(57),
        undoing: Undoing(position: Position(61), actor: .system, at: at, reason: why)
    )
    let field = Field(.ios, .minimumApp, .value)
    let (old, new) = (try #require(AppleVersion("3")), try #require(AppleVersion("3.2.0")))
    return ChangeAnswer(
        summary: summary,
        reason: try Reason(validating: "3.1 loses data"),
        operations: [Operation(.ios, .minimumApp, .setValue(.dotted(new)))],
        effect: [
            FieldChange(field: field, before: .version(.dotted(old)), after: .version(.dotted(new)))
        ],
        digest: ChangeDigest(hex: String(repeating: "0f", count: 32)),
        outcome: ChangeOutcome(
            approvals: [
                ChangeOutcome.Approval(
                    .init(by: .system, at: at, comment: nil),
                    void: ApprovalVoid(
                        .suspended,
                        ApprovalVoid.Lapse(by: .system, at: at, reason: nil)
                    )
                )
            ],
            decidedAt: at,
            remarks: [
                ChangeOutcome.Remark(.scheduled, by: .system, at: at, text: nil),
                ChangeOutcome.Remark(
                    .overridden,
                    by: .system,
                    at: at,
                    text: try Reason(validating: "It is a name"),
                    check: .placeholderLeft
                ),
            ]
        ),
        conflicts: [
            FieldConflict(
                field: field,
                base: nil,
                live: .version(.dotted(old)),
                write: FieldWrite(position: Position(56), actor: .system, recordedAt: at),
                cause: .first
            )
        ]
    )
}

private func sampleBlame() throws -> BlameAnswer {
    BlameAnswer(
        app: try #require(AppSlug("harbour")),
        platform: .android,
        position: Position(57),
        lines: [
            BlameAnswer.Line(
                field: Field(.android, .minimumApp, .value),
                value: .version(.integer(try #require(AndroidVersion(35)))),
                event: Position(42),
                since: try #require(Instant(rfc3339: "2026-11-21T08:00:00Z")),
                origin: sampleOrigin()
            )
        ]
    )
}

private func sampleOrigin() -> FieldOrigin {
    FieldOrigin(
        author: PrincipalID(UUID()),
        approvers: [.system, PrincipalID(UUID())],
        change: .first,
        reason: "3.1 loses data"
    )
}

private func sampleWrite() throws -> FieldHistoryAnswer.Write {
    FieldHistoryAnswer.Write(
        change: FieldChange(
            field: Field(.android, .minimumApp, .value),
            before: nil,
            after: .version(.integer(try #require(AndroidVersion(35))))
        ),
        event: Position(42),
        recordedAt: try #require(Instant(rfc3339: "2026-11-21T08:00:00Z")),
        origin: sampleOrigin()
    )
}

func sampleEvent(
    _ event: Event,
    on stream: StreamName = .change(.first)
) throws -> RecordedEvent {
    RecordedEvent(
        position: Position(61),
        id: UUID(),
        stream: stream,
        revision: Revision(3),
        recordedAt: try #require(Instant(rfc3339: "2026-11-21T09:00:00.250+01:00")),
        command: CommandID(UUID()),
        origin: Origin(
            actor: PrincipalID(UUID()),
            authentication: .token(TokenID(UUID())),
            request: "r-1",
            correlation: UUID(),
            reason: try Reason(validating: "No longer needed.")
        ),
        event: event
    )
}

/// One of each.
private func sampleEvents() throws -> [Event] {
    let slug = try #require(AppSlug("harbour"))
    let english = try #require(LanguageTag("en"))
    let title = try Title(validating: "t")
    let digest = try #require(ChangeDigest(hex: String(repeating: "0", count: 64)))
    let secret = try #require(SecretDigest(hex: digest.hex))
    let (principal, token, key) = (PrincipalID(UUID()), TokenID(UUID()), KeyID(UUID()))
    let sequence = SnapshotSequence(orderedBy: Position(1))
    let text = try Text(validating: "t")
    let version = try #require(AppleVersion("1"))
    let settings = AppSettings(
        name: title,
        platforms: [.ios],
        languages: [english],
        fallbackLanguage: english
    )
    let rollback = RollbackRecord(target: .start, request: .event(.start), platforms: [.ios])
    let publication = PublicationRecord(
        sequence: sequence,
        position: Position(1),
        manifestDigest: digest.hex,
        keys: [key]
    )
    let record = TokenRecord(id: token, principal: principal, secret: secret, expiresAt: nil)
    return [
        .app(.appRegistered(settings)), .app(.appSettingsChanged(settings)),
        .app(.thresholdSet(.ios, .minimumApp, .dotted(version))),
        .app(.valueCleared(.ios, .minimumApp)), .app(.thresholdCleared(.ios, .minimumApp)),
        .app(.textSet(.ios, .minimumApp, .title, english, text)),
        .app(.textRemoved(.ios, .minimumApp, .title, english)), .app(.rolledBack(rollback)),
        .app(.offersReplaced(.ios, [.nothing(on: .ios)])), .app(.renewalOrdered),
        .change(.changeProposed(app: slug, title: title, base: .start)),
        .change(.operationsAdded([])), .change(.changeApproved(digest: digest, comment: nil)),
        .app(.legacyOfferReplaced(.ios, nil)),
        .change(.changeRejected(digest: digest)), .change(.changeWithdrawn),
        .change(.changeApplied(app: slug, digest: digest)), .service(.defaultAppChosen(slug)),
        .key(.keyAdded(KeyRecord(id: key, app: slug, publicKey: []))),
        .key(.keyActivated(key, app: slug)), .key(.keyRetired(key, app: slug)),
        .key(.keyCompromised(key, app: slug)), .export(.snapshotPublished(publication)),
        .export(.publicationFailed(sequence: sequence, cause: "disk full")),
    ] + (try sampleEventsUnderPolicy(slug, title, digest, principal))
        + (try sampleWebhookEvents(slug))
        + sampleAccessEvents(record, principal, slug)
}
