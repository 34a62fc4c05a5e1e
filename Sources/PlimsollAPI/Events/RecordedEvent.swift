import PlimsollDomain

extension RecordedEvent {
    /// What it changed that is no field of a document, part by part: of what stood before it, and
    /// nothing where that is not known.
    func differences(from predecessor: Predecessor?) -> [Difference] {
        switch (event, predecessor) {
        case (.app(.appSettingsChanged(let after)), .settings(let before)):
            before.differences(to: after)
        case (_, .policy(let before, then: let after)): before.differences(to: after)
        case (.app(.releaseAmended(let release)), .release(let before)):
            before.facts.differences(to: release.facts)
        case (.app(.releaseWithdrawn), .release(let before)):
            before.facts.differences(to: ReleaseFacts())
        case (.app(.versionSharesReplaced(_, let after)), let before):
            before.shares.differences(to: after)
        case (.app(.freezeStarted), _), (.service(.serviceFreezeStarted), _),
            (.app(.freezePlan(.started)), _), (.service(.freezePlan(.started)), _):
            [frozen(since: nil, then: recordedAt)]
        case (.app(.freezeEnded), .freeze(let freeze)),
            (.service(.serviceFreezeEnded), .freeze(let freeze)),
            (.app(.freezePlan(.ended)), .freeze(let freeze)),
            (.service(.freezePlan(.ended)), .freeze(let freeze)):
            [frozen(since: freeze.since, then: nil)]
        case (.service(.defaultAppChosen(let app)), let before):
            [
                Difference(
                    member: "defaultApp",
                    subject: "default app",
                    before: before?.defaultApp,
                    after: app.text
                )
            ]
        default: []
        }
    }

    private func frozen(since before: Instant?, then after: Instant?) -> Difference {
        Difference(
            member: "frozenSince",
            subject: "frozen since",
            before: before?.rfc3339,
            after: after?.rfc3339
        )
    }
}

extension Predecessor {
    fileprivate var defaultApp: String? {
        if case .defaultApp(let app) = self { app.text } else { nil }
    }
}

extension Predecessor? {
    /// Where nothing was counted, no device was.
    fileprivate var shares: VersionShares {
        if case .shares(let shares) = self { shares } else { VersionShares(rows: []) }
    }
}

extension RecordedEvent {
    /// What happened, in a sentence without its full stop: `iOS minimum app 3.1.0 → 3.2.0`.
    func sentence(_ fields: [FieldChange], _ differences: [Difference]) -> String {
        switch event {
        case .app(let event): event.sentence(subject, fields, differences)
        case .change(let event): event.sentence(subject)
        case .access(let event): event.sentence
        case .key(.keyAdded(let record)): "Key \(record.id) made for \(record.app)"
        case .key(.keyActivated(let id, let app)): "Key \(id) signs for \(app)"
        case .key(.keyRetired(let id, let app)): "Key \(id) retired from signing for \(app)"
        case .key(.keyCompromised(let id, let app)):
            "Key \(id) of \(app) compromised; nothing that it signs is to be believed"
        case .service(let event): event.sentence(differences)
        case .webhook(let event): event.sentence
        case .export(.snapshotPublished(let record)):
            "Snapshot \(record.sequence) of \(subject) published"
        case .export(.publicationFailed(let sequence, let cause)):
            "Snapshot \(sequence) of \(subject) not published: \(cause)"
        }
    }

    /// What the stream is of.
    private var subject: String {
        switch stream {
        case .app(let app), .export(let app): app.text
        case .change(let id): "Change \(id)"
        case .access, .keys, .service, .webhooks: stream.text
        }
    }
}

extension AppEvent {
    fileprivate func sentence(
        _ app: String,
        _ fields: [FieldChange],
        _ differences: [Difference]
    ) -> String {
        switch self {
        case .appRegistered(let settings): "\(app) registered as \(settings.name.text)"
        case .appSettingsChanged: "Settings of \(app) changed" + differences.tail
        case .thresholdSet(let platform, let name, let value):
            fields.first?.sentence ?? "\(platform.name) \(name.name) → \(value)"
        case .valueCleared(let platform, let name):
            fields.first?.sentence ?? "\(platform.name) \(name.name) removed"
        case .thresholdCleared(let platform, let name):
            cleared("\(platform.name) \(name.name)", fields)
        case .textSet(let platform, let name, let part, let language, _):
            fields.first?.sentence
                ?? "\(Field(platform, name, .text(part, language)).name) written"
        case .textRemoved(let platform, let name, let part, let language):
            "\(Field(platform, name, .text(part, language)).name) removed"
        case .offersReplaced(let platform, let offers):
            fields.first?.sentence
                ?? "\(Field.offers(of: platform).name) → \(offers.count)"
        case .legacyOfferReplaced(let platform, let legacy):
            fields.first?.sentence
                ?? "\(Field.legacy(of: platform).name) → \(legacy?.sentence ?? "derived")"
        case .rolledBack(let record):
            record.sentence(app)
        case .renewalOrdered: "The signatures of \(app) are to be renewed"
        case .policyChanged(.some): "\(app) has a policy of its own" + differences.tail
        case .policyChanged(nil): "\(app) follows the default policy" + differences.tail
        case .freezeStarted: "\(app) frozen"
        case .freezeEnded: "The freeze of \(app)\(differences.since) ended"
        case .freezePlan(let event): event.sentence(app, differences)
        case .rollbackReviewOrdered(let order):
            "The rollback of \(app) is to be reviewed until \(order.due)"
        case .rollbackReviewed(let review, let verdict):
            "Rollback review \(review) of \(app) \(verdict.outcome.rawValue)"
        case .releaseRegistered(let release): "\(app) \(release.sentence) registered"
        case .releaseAmended(let release):
            differences.isEmpty
                ? "\(app) \(release.sentence) amended"
                : "\(app) \(release.platform.name) \(release.version) amended" + differences.tail
        case .releaseWithdrawn(let platform, let version):
            "\(app) \(platform.name) \(version) withdrawn" + differences.tail
        case .versionSharesReplaced(let platform, let shares):
            (shares.rows.isEmpty
                ? "\(app) \(platform.name) has no count of devices any more"
                : "\(app) \(platform.name) has a count of \(shares.devices) devices")
                + differences.earlierCount
        }
    }

    private func cleared(_ threshold: String, _ fields: [FieldChange]) -> String {
        let texts = fields.filter { $0.field.part != .value }.count
        let value = fields.first { $0.field.part == .value }?.before
        let was = value.map { " \($0) → unset" } ?? " cleared"
        switch texts {
        case 0: return threshold + was
        case 1: return threshold + was + ", with its text"
        default: return threshold + was + ", with its \(texts) texts"
        }
    }
}

extension [Difference] {
    /// What follows the sentence: `: raising a minimum needs 1 approval … → needs nobody's …`.
    fileprivate var tail: String {
        isEmpty ? "" : ": " + map(\.sentence.inSentence).joined(separator: "; ")
    }

    /// Since when it was frozen.
    fileprivate var since: String { first?.before.map { " since \($0)" } ?? "" }

    /// How many devices there were by the count before, where they were others.
    fileprivate var earlierCount: String {
        first { $0.member == "devices" }?.before.map { ", \($0) before" } ?? ""
    }
}

extension String {
    /// As it stands behind a colon.
    fileprivate var inSentence: String { prefix(1).lowercased() + dropFirst() }
}

extension RollbackRecord {
    fileprivate func sentence(_ app: String) -> String {
        let names = platforms.map(\.name).joined(separator: ", ")
        if case .revert(let id) = request {
            return "Change \(id) of \(app) taken back on \(names)"
        }
        return "\(subject(app)) rolled back to the state after event \(target) on \(names)"
    }

    /// What of the app went back.
    fileprivate func subject(_ app: String) -> String {
        guard let fields else { return app }
        return fields.count == 1 ? "A field of \(app)" : "\(fields.count) fields of \(app)"
    }
}

extension ChangeEvent {
    fileprivate func sentence(_ change: String) -> String {
        switch self {
        case .changeProposed(let app, let title, _):
            "\(change) proposed for \(app): \(title.text)"
        case .operationsAdded(let operations):
            "\(change) has \(operations.count) operation\(operations.count == 1 ? "" : "s")"
        case .changeApproved: "\(change) approved"
        case .changeRejected: "\(change) rejected"
        case .changeWithdrawn: "\(change) withdrawn"
        case .changeSourced(let source): "\(change) comes from \(source.text)"
        case .changeSuperseded(let id):
            "\(change) superseded by change \(id), from the same source"
        case .changeApplied(let app, _): "\(change) applied to \(app)"
        case .changeRevised: "\(change) revised"
        case .changeScheduled(let schedule):
            schedule.map { "\(change) scheduled \($0.sentence)" }
                ?? "\(change) not scheduled any more"
        case .changeCommented: "\(change) commented on"
        case .checkOverridden(let check, _): "Check \(check.rawValue) of \(change) overridden"
        case .changesRequested: "Something else wanted of \(change)"
        case .changeOvertaken(let id):
            "\(change) is in conflict with change \(id), which came first"
        case .changeSuspended(let cause): "\(change) suspended (\(cause.rawValue))"
        case .changeEnded(let app): "\(change) ended; what of it stood in \(app) went back"
        case .emergencyApplied(let emergency):
            "\(change) applied in an emergency: \(emergency.incident.text)"
        case .emergencyReviewed(let review, let verdict):
            "Emergency review \(review) of \(change) \(verdict.outcome.rawValue)"
        }
    }
}

extension ServiceEvent {
    fileprivate func sentence(_ differences: [Difference]) -> String {
        switch self {
        case .defaultAppChosen(let app):
            "\(app) is the default app"
                + (differences.first?.before.map { " in place of \($0)" } ?? "")
        case .defaultPolicyChanged: "The default policy of all apps changed" + differences.tail
        case .serviceFreezeStarted: "Everything frozen"
        case .serviceFreezeEnded: "The freeze of everything\(differences.since) ended"
        case .freezePlan(let event): event.sentence("everything", differences)
        }
    }
}

extension FreezePlanEvent {
    fileprivate func sentence(_ subject: String, _ differences: [Difference]) -> String {
        switch self {
        case .planned(let window):
            "A freeze of \(subject) planned from \(window.from) until \(window.until)"
                + " (\(window.timeZone.text))"
        case .cancelled(let plan):
            "The freeze of \(subject) that event \(plan) planned will not come"
        case .started(let plan): "The freeze of \(subject) that event \(plan) planned began"
        case .ended(let plan):
            "The freeze of \(subject)\(differences.since) that event \(plan) planned ended"
        }
    }
}

extension Schedule {
    /// `for …`, `until …`, or both.
    fileprivate var sentence: String {
        [at.map { "for \($0)" }, until.map { "until \($0)" }].compactMap(\.self)
            .joined(separator: ", ") + " (\(timeZone.text))"
    }
}

extension AccessEvent {
    fileprivate var sentence: String {
        switch self {
        case .principalAdded(let id): "Principal \(id) added"
        case .principalSuspended(let id): "Principal \(id) suspended"
        case .principalResumed(let id): "Principal \(id) resumed"
        case .roleGranted(let id, let grant): "Principal \(id) is \(grant.words)"
        case .roleRevoked(let id, let grant): "Principal \(id) is no longer \(grant.words)"
        case .tokenRenewed(let token, let old, let until):
            "Token \(old) renewed as \(token.id) by principal \(token.principal); the old one ends on"
                + " \(until)"
        case .tokenIssued(let token): "Token \(token.id) issued to principal \(token.principal)"
        case .tokenRevoked(let id): "Token \(id) revoked"
        case .nameErased(let id): "The name of principal \(id) erased"
        }
    }
}

extension RoleGrant {
    /// `proposer of harbour`, or `proposer of all apps`.
    fileprivate var words: String {
        switch scope {
        case .app(let app): "\(role.rawValue) of \(app)"
        case .all: "\(role.rawValue) of all apps"
        }
    }
}
