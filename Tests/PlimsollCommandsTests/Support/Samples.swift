import Foundation
import HTTPTypes
import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import PlimsollJSON
import Testing

/// What a service with the app `harbour` answers.
enum Samples {
    static let alice = PrincipalID(UUID(uuid: (1, 0, 0, 0, 0, 0, 64, 0, 128, 0, 0, 0, 0, 0, 0, 1)))
    static let instant = Instant(millisecondsSince1970: 1_790_000_000_000)
    static let digestText = String(repeating: "0a", count: 32)

    static func slug() throws -> AppSlug { try #require(AppSlug("harbour")) }

    static func app(
        _ slug: String = "harbour",
        at position: Int = 42,
        published sequence: Int64? = 40
    ) throws -> AppAnswer {
        let english = try #require(LanguageTag("en"))
        return AppAnswer(
            slug: try #require(AppSlug(slug)),
            settings: AppSettings(
                name: try Title(validating: "Harbour"),
                platforms: [.ios, .android],
                languages: [english],
                fallbackLanguage: english
            ),
            isDefault: true,
            position: Position(position),
            sequence: sequence.flatMap(SnapshotSequence.init(rawValue:))
        )
    }

    static func key(_ state: KeyState) throws -> KeyAnswer {
        KeyAnswer(
            id: KeyID(UUID()),
            app: try slug(),
            state: state,
            position: Position(4),
            publicKey: ""
        )
    }

    /// An iOS document with a minimum app, and a description in English.
    static func document(minimumApp value: String, _ words: String = "Update.") throws -> Document {
        var document = Document(platform: .ios)
        document[.minimumApp] = Threshold(
            value: .dotted(try #require(AppleVersion(value))),
            descriptions: [try #require(LanguageTag("en")): try Text(validating: words)]
        )
        return document
    }

    static func answer(_ document: Document, at position: Int = 42) throws -> DocumentAnswer {
        DocumentAnswer(
            app: try slug(),
            platform: document.platform,
            position: Position(position),
            document: AvailabilityDocument(document, stamp: nil).json(.complete)
        )
    }

    static func effect() throws -> [FieldChange] {
        try document(minimumApp: "3.1.0").changes(
            to: document(minimumApp: "3.2.0", "Update, please.")
        )
    }

    static func change(
        _ state: ChangeState,
        at position: Int = 44,
        of document: Document = Document(platform: .ios),
        schedule: Schedule? = nil,
        suspension: SuspensionCause? = nil,
        course: ChangeCourse = ChangeCourse()
    ) throws -> ChangeAnswer {
        ChangeAnswer(
            summary: ChangeSummary(
                id: try #require(ChangeID("17")),
                app: try slug(),
                title: try Title(validating: "Raise the floor"),
                author: alice,
                state: state,
                base: Position(42),
                proposedAt: instant,
                position: Position(position),
                schedule: schedule,
                suspension: suspension
            ),
            reason: nil,
            operations: Document(platform: .ios).operations(to: document).reversed(),
            effect: try effect(),
            digest: state == .withdrawn ? nil : ChangeDigest(hex: digestText),
            outcome: ChangeOutcome(),
            course: course
        )
    }

    static func receipt(
        at position: Int?,
        _ review: ReviewOrder? = nil
    ) throws -> RollbackAnswer {
        RollbackAnswer(
            app: try slug(),
            position: position.map { Position($0) },
            sequence: position.flatMap { SnapshotSequence(rawValue: Int64($0)) },
            target: Position(30),
            platforms: [.ios],
            changes: try effect(),
            outlook: try outlook(review, isDryRun: position == nil)
        )
    }

    private static func outlook(
        _ review: ReviewOrder?,
        isDryRun: Bool
    ) throws -> RollbackOutlook {
        RollbackOutlook(
            sideEffects: .init(
                suspended: [try #require(ChangeID("4")), try #require(ChangeID("9"))],
                undone: [try #require(ChangeID("2"))],
                undoneOfOthers: [try #require(ChangeID("2"))],
                endsCalledOff: [],
                endsResumed: [],
                stale: [try #require(ChangeID("7"))],
                keptUntilEnd: [try #require(ChangeID("8"))]
            ),
            devices: DeviceOutlook.outlooks(
                from: try document(minimumApp: "3.2.0"),
                to: try document(minimumApp: "3.1.0"),
                releases: [],
                try app(published: 40).settings
            ),
            reach: .usual,
            review: review,
            checks: [
                CheckFinding(
                    .minimumLowered,
                    Field(.ios, .minimumApp, .value),
                    "ios.minimumApp.value falls from 3.2.0 to 3.1.0: versions run again that did not."
                )
            ],
            origin: isDryRun ? try origin() : nil
        )
    }

    private static func origin() throws -> RollbackOrigin {
        RollbackOrigin(
            at: Instant(millisecondsSince1970: 1_700_000_000_000),
            write: RollbackOrigin.Write(
                event: Position(29),
                origin: FieldOrigin(
                    author: .system,
                    approvers: [.system],
                    change: .first,
                    reason: nil
                )
            )
        )
    }

    /// What phones are served, with the stamp of a position.
    static func served(
        _ document: Document,
        at position: Int,
        of app: String = "harbour"
    ) throws -> [UInt8] {
        let issue = SnapshotIssue(
            sequence: try #require(SnapshotSequence(rawValue: Int64(position))),
            position: Position(position),
            issuedAt: instant,
            expiresAt: instant.advanced(by: .seconds(7 * 86_400))
        )
        let app = try #require(AppSlug(app))
        let stamp = DocumentStamp(app: app, platform: document.platform, issue: issue)
        return AvailabilityDocument(document, stamp: stamp).bytes(.complete)
    }
}

extension ScriptedService.Reply {
    /// A token that was made; without its secret where it was made by an earlier request.
    static func issued(secret: String?) -> ScriptedService.Reply {
        let token = TokenAnswer(
            id: TokenID(UUID()),
            principal: Samples.alice,
            name: "alice",
            roles: [],
            expiresAt: nil
        )
        return ScriptedService.Reply(IssuedTokenAnswer(token: token, secret: secret), .created)
    }
}
