import Foundation
import PlimsollJSON

// How the values that events say are written, and the members that say them.

// MARK: - One value

extension Coding<String> { static let text = Coding(text: { $0 }, { $0 }) }
extension Coding<Int64> { static let number = Coding(number: { $0 }, { $0 }) }
extension Coding<Bool> {
    static let flag = Coding(
        read: { json throws(DataFault) in json.bool },
        write: { value, _ in .bool(value) }
    )
}

extension Coding<AppSlug> { static let app = Coding(text: AppSlug.init, \.text) }
extension Coding<AppleNotification> {
    static let notification = Coding(text: { AppleNotification($0) }, \.text)
}
extension Coding<ChangeDigest> { static let digest = Coding(text: ChangeDigest.init(hex:), \.hex) }
extension Coding<ClientGeneration> {
    static let client = Coding(text: ClientGeneration.init, \.name)
}
extension Coding<EntryKeyID> { static let entryKey = Coding(text: EntryKeyID.init, \.text) }
extension Coding<EventName> { static let eventName = Coding(text: EventName.init, \.text) }
extension Coding<Field> { static let field = Coding(text: Field.init(path:), \.path) }
extension Coding<Instant> { static let instant = Coding(text: Instant.init(rfc3339:), \.rfc3339) }
extension Coding<KeyID> { static let key = Coding(text: KeyID.init, \.text) }
extension Coding<Label> {
    static let label = Coding(text: { try? Label(validating: $0) }, \.text)
}
extension Coding<LanguageTag> { static let language = Coding(text: LanguageTag.init, \.text) }
extension Coding<MetadataName> { static let metadata = Coding(text: MetadataName.init, \.text) }
extension Coding<NameCommitment> {
    static let nameCommitment = Coding(text: NameCommitment.init(hex:), \.hex)
}
extension Coding<PersonKey> {
    // A comment is no part of it, so nothing that is stored has one.
    static let personKey = Coding(
        text: { text in PersonKey(text).flatMap { $0.text == text ? $0 : nil } },
        \.text
    )
}
extension Coding<PrincipalID> { static let principal = Coding(text: PrincipalID.init, \.text) }
extension Coding<Reason> {
    static let reason = Coding(text: { try? Reason(validating: $0) }, \.text)
}
extension Coding<RequirementName> {
    static let requirement = Coding(text: RequirementName.init, \.text)
}
extension Coding<SecretDigest> { static let secret = Coding(text: SecretDigest.init(hex:), \.hex) }
extension Coding<Text> {
    static let words = Coding(text: { try? Text(validating: $0) }, \.text)
}
extension Coding<TimeZoneName> { static let timeZone = Coding(text: TimeZoneName.init, \.text) }
extension Coding<Title> {
    static let title = Coding(text: { try? Title(validating: $0) }, \.text)
}
extension Coding<TokenID> { static let token = Coding(text: TokenID.init, \.description) }
extension Coding<VersionName> { static let versionName = Coding(text: VersionName.init, \.text) }
extension Coding<WebhookID> { static let webhook = Coding(text: WebhookID.init, \.text) }
extension Coding<WebhookKeyID> { static let webhookKey = Coding(text: WebhookKeyID.init, \.text) }
extension Coding<WebhookURL> { static let url = Coding(text: WebhookURL.init, \.text) }

extension Coding<Position> {
    static let position = Coding(number: Position.init(rawValue:), \.rawValue)
}
extension Coding<SnapshotSequence> {
    static let sequence = Coding(number: SnapshotSequence.init(rawValue:), \.rawValue)
}

extension Coding<ChangeID> {
    /// Answers tell every id as a string.
    static let change = Coding(
        read: { json throws(DataFault) in json.integer.flatMap(ChangeID.init(rawValue:)) },
        write: { id, form in form == .stored ? .integer(id.rawValue) : .string(id.description) }
    )
}

extension Coding<VersionValue> {
    /// A dotted version is a string and an integer version a number.
    static let version = Coding(
        read: { json throws(DataFault) in
            switch json {
            case .string(let written): AppleVersion(written).map(VersionValue.dotted)
            case .integer(let number): AndroidVersion(number).map(VersionValue.integer)
            case .null, .bool, .array, .object: nil
            }
        },
        write: { version, _ in version.json }
    )
}

extension Coding<OfferVersion> {
    /// The same, as Prince of Versions writes it.
    static let offerVersion = Coding(
        read: { json throws(DataFault) in
            switch json {
            case .string(let written): OfferVersion(written: written, on: .ios)
            case .integer(let number): OfferVersion(written: String(number), on: .android)
            case .null, .bool, .array, .object: nil
            }
        },
        write: { version, _ in version.json }
    )
}

extension Coding<OfferValue> {
    static let value = Coding(
        read: { json throws(DataFault) in try? OfferValue(validating: json) },
        write: { value, _ in value.json }
    )
}

extension Coding<RollbackTarget> {
    /// An object with one member, which says how it was named.
    static let rollbackTarget = Coding(
        read: { json throws(DataFault) in
            guard let object = json.object, let member = object.members.first, object.count == 1
            else { return nil }
            let value = member.value
            return switch member.key {
            case "event": try Coding<Position>.position.read(value).map(RollbackTarget.event)
            case "time": try Coding<Instant>.instant.read(value).map(RollbackTarget.time)
            case "beforeChange":
                try Coding<ChangeID>.change.read(value).map(RollbackTarget.beforeChange)
            case "revert": try Coding<ChangeID>.change.read(value).map(RollbackTarget.revert)
            case "lastGood":
                value.integer.flatMap { $0 > 0 ? RollbackTarget.lastGood(seconds: $0) : nil }
            default: nil
            }
        },
        write: { target, form in
            switch target {
            case .event(let position): ["event": .integer(position.rawValue)]
            case .time(let instant): ["time": .string(instant.rfc3339)]
            case .beforeChange(let id): ["beforeChange": Coding<ChangeID>.change.write(id, form)]
            case .revert(let id): ["revert": Coding<ChangeID>.change.write(id, form)]
            case .lastGood(let seconds): ["lastGood": .integer(seconds)]
            }
        }
    )
}

extension Coding<VersionShares.Row> {
    /// A row of three cells; answers name them.
    static let shareRow = Coding(
        read: { json throws(DataFault) in
            guard let cells = json.array, cells.count == 3,
                let app = try Coding<VersionValue>.version.read(cells[0]),
                let system = try Coding<VersionValue?>.orNull(.version).read(cells[1]),
                let devices = cells[2].integer
            else { return nil }
            return VersionShares.Row(app: app, system: system, devices: devices)
        },
        write: { row, form in
            let app = Coding<VersionValue>.version.write(row.app, form)
            let system = Coding<VersionValue?>.orNull(.version).write(row.system, form)
            return form == .stored
                ? [app, system, .integer(row.devices)]
                : ["app": app, "os": system, "devices": .integer(row.devices)]
        }
    )
}

extension Coding<[UInt8]> {
    static let base64 = Coding(
        text: { Data(base64Encoded: $0).map(Array.init) },
        { Data($0).base64EncodedString() }
    )
}

// MARK: - Members that several events have

extension Members<AppSlug> { static let app = Members("app", .app) }
extension Members<ChangeDigest> { static let digest = Members("digest", .digest) }
extension Members<ChangeID> { static let by = Members("by", .change) }
extension Members<LanguageTag> { static let language = Members("language", .language) }
extension Members<[Offer]> {
    static let offers = Members("offers", .list(of: .object(.offer)))
}
extension Members<PersonKey> { static let personKey = Members("key", .personKey) }
extension Members<PersonSignature> {
    static let personSignature = Members(
        PersonSignature.init(key:signedAt:value:),
        Part(\.key, "key", .personKey),
        Part(\.signedAt, "signedAt", .instant),
        Part(
            \.value,
            "value",
            Coding(text: { PersonSignature.isValue($0) ? $0 : nil }, { $0 })
        )
    )
}
extension Members<Platform> { static let platform = Members("platform", .name) }
extension Members<Position> {
    static let base = Members("base", .position)
    static let review = Members("review", .position)
}
extension Members<PrincipalID> { static let principal = Members("principal", .principal) }
extension Members<Reason?> { static let comment = optional("comment", .reason) }
extension Members<SnapshotSequence> { static let sequence = Members("sequence", .sequence) }
extension Members<Text> { static let text = Members("text", .words) }
extension Members<TextPart> { static let part = Members("part", .name) }
extension Members<ThresholdName> { static let threshold = Members("threshold", .name) }
extension Members<Title> { static let title = Members("title", .title) }
extension Members<VersionValue> {
    static let value = Members("value", .version)
    static let version = Members("version", .version)
}
extension Members<WebhookID> { static let webhook = Members("id", .webhook) }
extension Members<WebhookKeyID> { static let webhookKey = Members("key", .webhookKey) }
extension Members<EntryKeyID> { static let entryKey = Members("key", .entryKey) }
extension Members<KeyID> { static let key = Members("id", .key) }
extension Members<TokenID> { static let token = Members("id", .token) }

// MARK: - Values of several members

extension Members<AppSettings> {
    /// A registration of the first shape does not say which clients of Prince of Versions there are.
    static func settings(usual clients: PrinceOfVersionsClients?) -> Members {
        Members(
            AppSettings.init,
            Part(\.name, "name", .title),
            Part(\.platforms, "platforms", .list(of: .name)),
            Part(\.languages, "languages", .list(of: .language)),
            Part(\.fallbackLanguage, "fallbackLanguage", .language),
            Part(\.profile, "profile", .name),
            Part(\.princeClients, Members<_>("princeOfVersions", .name, usual: clients)),
            Part(
                \.shippedLanguages,
                .optional("shippedLanguages", .list(of: .language), isNullAnswered: false)
            ),
            Part(\.clients, .optional("clients", .list(of: .client), isNullAnswered: false))
        )
    }
}

extension Members<Emergency> {
    static let emergency = Members(
        Emergency.init,
        Part(\.incident, "incident", .title),
        Part(\.review, .reviewOrder)
    )
}

extension Members<KeyRecord> {
    static let keyRecord = Members(
        KeyRecord.init,
        Part(\.id, .key),
        Part(\.app, .app),
        Part(\.publicKey, Members<_>("publicKey", .base64, isAnswered: false))
    )
}

extension Members<PublicationRecord> {
    static let publication = Members(
        PublicationRecord.init,
        Part(\.sequence, .sequence),
        Part(\.position, "position", .position),
        Part(\.manifestDigest, "manifestDigest", .text),
        Part(\.keys, "keys", .list(of: .key))
    )
}

extension Members<ReviewOrder> {
    static let reviewOrder = Members(
        ReviewOrder.init,
        Part(\.owner, "owner", .principal),
        Part(\.role, "role", .name),
        Part(\.due, "due", .instant)
    )
}

extension Members<ReviewVerdict> {
    static let verdict = Members(
        ReviewVerdict.init,
        Part(\.outcome, "outcome", .name),
        Part(\.comment, .comment)
    )
}

extension Members<RoleGrant> {
    static let grant = Members(
        RoleGrant.init,
        Part(\.role, "role", .name),
        Part(\.scope, .scope(isNullAnswered: false))
    )
}

extension Members<Scope> {
    /// Without an app it is all of them.
    static func scope(isNullAnswered: Bool) -> Members {
        Members(
            { $0.map(Scope.app) ?? .all },
            Part(\.app, .optional("app", .app, isNullAnswered: isNullAnswered))
        )
    }
}

extension Members<RollbackRecord> {
    static let rollback = Members(
        RollbackRecord.init,
        Part(\.target, "target", .position),
        Part(\.request, Members<_>("request", .rollbackTarget, answeredAs: "to")),
        Part(\.platforms, "platforms", .list(of: .name)),
        Part(\.fields, .optional("fields", .list(of: .field), isNullAnswered: false)),
        Part(\.frozenSince, .optional("frozenSince", .instant, isNullAnswered: false))
    )
}

extension Members<Schedule> {
    static let schedule = Members(
        Schedule.init,
        Part(\.at, .optional("at", .instant)),
        Part(\.until, .optional("until", .instant)),
        Part(\.timeZone, "timeZone", .timeZone)
    )
}

extension Members<TokenRecord> {
    static let tokenRecord = Members(
        TokenRecord.init,
        Part(\.id, .token),
        Part(\.principal, .principal),
        Part(\.secret, Members<_>("secretDigest", .secret, isAnswered: false)),
        Part(\.expiresAt, .optional("expiresAt", .instant))
    )
}

extension Members<VersionShares> {
    static let shares = Members(VersionShares.init, Part(\.rows, "rows", .list(of: .shareRow)))
}

extension Members<WebhookSettings> {
    /// The first shape had neither a format nor what stands behind it.
    static let webhookSettings = Members(
        WebhookSettings.init,
        Part(\.url, "url", .url),
        Part(\.scope, .scope(isNullAnswered: true)),
        Part(\.types, "types", .list(of: .eventName)),
        Part(\.format, Members<_>("format", .name, usual: .standard)),
        Part(\.isGrouped, Members<_>("grouped", .flag, usual: false)),
        Part(\.tellsNames, Members<_>("names", .flag, usual: false))
    )
}
