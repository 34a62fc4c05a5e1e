import Foundation
import PlimsollDomain
import PlimsollPublishing

/// A log in memory that registers one app, fills its documents and orders them again and again.
struct OrderBuilder {
    private var logState = LogState()
    private var orders = PublicationOrders()
    private var now = Instant(millisecondsSince1970: 1_795_000_000_000)

    static let languages = [
        "en", "de", "fr", "cy", "ar", "bn", "gu", "pl", "pa", "ro", "tr", "ur",
    ]

    static var app: AppSlug {
        get throws { try known(AppSlug("harbour"), "a slug") }
    }

    init(key: KeyRecord) throws {
        let app = StreamName.app(key.app)
        record([
            (app, .app(.appRegistered(try Self.settings))),
            (.keys, .key(.keyAdded(key))),
            (.keys, .key(.keyActivated(key.id, app: key.app))),
        ])
        record(try Self.contents.map { (app, .app($0)) })
    }

    /// Orders all documents anew.
    mutating func orderAnew() throws -> Edition {
        let app = try Self.app
        record([(.app(app), .app(.renewalOrdered))])
        return try known(Edition(of: app, in: logState, by: orders), "an edition")
    }

    private mutating func record(_ events: [(StreamName, Event)]) {
        now = now.advanced(by: .seconds(60))
        let command = CommandID(UUID())
        for (stream, event) in events {
            let recorded = RecordedEvent(
                position: logState.position.advanced(by: 1),
                id: UUID(),
                stream: stream,
                revision: logState.revision(of: stream).next,
                recordedAt: now,
                command: command,
                origin: Origin(actor: .system, authentication: .service, correlation: command.uuid),
                event: event
            )
            logState.evolve(recorded)
            orders.evolve(recorded)
        }
    }

    private static var tags: [LanguageTag] {
        get throws { try languages.map { try known(LanguageTag($0), "a language") } }
    }

    private static var settings: AppSettings {
        get throws {
            let tags = try tags
            return AppSettings(
                name: try Title(validating: "Harbour"),
                platforms: [.ios, .android],
                languages: tags,
                fallbackLanguage: tags[0]
            )
        }
    }

    /// Texts as long as those of documents in the field.
    private static var contents: [AppEvent] {
        get throws {
            let title = try Text(validating: "Please install the new version")
            let words = Array(repeating: "Harbour keeps your log book whole.", count: 7)
            let description = try Text(validating: words.joined(separator: "\n\n"))
            let version = VersionValue.dotted(try known(AppleVersion("3.2.0"), "a version"))
            let code = VersionValue.integer(try known(AndroidVersion(12), "a version"))
            return try [Platform.ios, .android].flatMap { platform in
                try platform.thresholds.flatMap { name -> [AppEvent] in
                    let value = platform == .ios ? version : code
                    return try [.thresholdSet(platform, name, value)]
                        + tags.flatMap { tag in
                            [
                                .textSet(platform, name, .title, tag, title),
                                .textSet(platform, name, .description, tag, description),
                            ]
                        }
                }
            }
        }
    }
}
