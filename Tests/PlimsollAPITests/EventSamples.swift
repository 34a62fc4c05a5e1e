import FoundationEssentials
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import PlimsollTestSupport
import Testing

func sampleAccessEvents(
    _ token: TokenRecord,
    _ principal: PrincipalID,
    _ slug: AppSlug
) -> [Event] {
    let until = Instant(millisecondsSince1970: 0)
    return [
        .access(.principalAdded(principal)),
        .access(.roleGranted(principal, RoleGrant(.viewer, in: .all))),
        .access(.roleRevoked(principal, RoleGrant(.viewer, in: .app(slug)))),
        .access(.principalSuspended(principal)), .access(.principalResumed(principal)),
        .access(.tokenIssued(token)), .access(.tokenRenewed(token, of: token.id, until: until)),
        .access(.tokenRevoked(token.id)), .access(.nameErased(principal)),
    ] + samplePersonKeyEvents(principal)
}

private func samplePersonKeyEvents(_ principal: PrincipalID) -> [Event] {
    guard let key = try? testKey("K") else { preconditionFailure("a test's key is a key") }
    return [
        .access(.personKeyAdded(principal, key)), .access(.personKeyRevoked(principal, key)),
    ]
}

func sampleWebhookEvents(_ slug: AppSlug) throws -> [Event] {
    let id = WebhookID(UUID())
    let key = try #require(WebhookKeyID("0123456789abcdef"))
    let url = try #require(WebhookURL("https://hooks.example.com/plimsoll"))
    var settings = WebhookSettings(url: url, scope: .app(slug))
    (settings.format, settings.isGrouped, settings.tellsNames) = (.teams, true, true)
    let end = Instant(millisecondsSince1970: 0)
    return [
        .webhook(.webhookRegistered(id, settings, key)),
        .webhook(.webhookSecretRotated(id, key, previousUntil: end)),
        .webhook(.webhookDisabled(id, cause: "it answered 410")), .webhook(.webhookEnabled(id)),
        .webhook(.webhookReplayOrdered(id, since: Position(1), until: Position(2))),
        .webhook(.webhookRemoved(id)),
    ]
}

func sampleEventsUnderPolicy(
    _ slug: AppSlug,
    _ title: Title,
    _ digest: ChangeDigest,
    _ principal: PrincipalID
) throws -> [Event] {
    let due = Instant(millisecondsSince1970: 0)
    let none = FreezeWindow(from: due, until: due, timeZone: .utc)
    let freezes: [FreezeEvent] = [
        .started, .ended, .planned(none), .planCancelled(.start), .planStarted(.start),
        .planEnded(.start),
    ]
    let order = ReviewOrder(owner: principal, role: .approver, due: due)
    let verdict = ReviewVerdict(.confirmed, comment: nil)
    let release = Release(
        platform: .ios,
        version: .dotted(try #require(AppleVersion("3.2.0"))),
        facts: ReleaseFacts()
    )
    let notification = try #require(AppleNotification(Array("{}".utf8)))
    let entryKey = try #require(EntryKeyID("0123456789abcdef0123456789abcdef"))
    return [
        .service(.notificationKept(notification)),
        .service(.notificationsDropped(marketplace: item(1), app: item(2))),
        .service(.accountForgotten),
        .service(.entryKey(.added(entryKey))), .service(.entryKey(.retired(entryKey))),
        .app(.policyChanged(.builtIn)),
        .app(.rollbackReviewOrdered(order)), .app(.rollbackReviewed(.start, verdict)),
        .change(.changeRevised(title: title, base: .start)),
        .change(.changeScheduled(Schedule(at: due, until: nil, timeZone: .utc))),
        .change(.changeCommented(try Reason(validating: "t"))),
        .change(.changesRequested(digest: digest)), .change(.changeSuspended(.freeze)),
        .change(.changeOvertaken(by: .first)), .change(.changeSuperseded(by: .first)),
        .change(.changeSourced(title)), .change(.changeEnded(app: slug)),
        .change(.checkOverridden(.textLong, digest: digest)),
        .change(.emergencyApplied(Emergency(incident: title, review: order))),
        .change(.emergencyReviewed(.start, verdict)), .app(.releaseRegistered(release)),
        .app(.releaseAmended(release)), .app(.releaseWithdrawn(.ios, release.version)),
        .app(.versionSharesReplaced(.ios, VersionShares(rows: []))),
        .service(.defaultPolicyChanged(.builtIn)), .app(.packagesOffered([versionID(7)])),
    ] + sampleMarketplaceEvents.map { .app(.marketplace($0)) }
        + freezes.flatMap { [.app(.freeze($0)), .service(.freeze($0))] }
}
