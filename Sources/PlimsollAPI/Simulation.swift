package import PlimsollDomain
package import PlimsollJSON

extension Endpoints {
    static let simulations: [any EndpointDeclaration] = [simulate, simulateEdits]

    package static let simulate = Read<AppSlug, SimulationAnswer>(
        .get("simulate", "/v1/apps/{app}/simulate"),
        "Simulates a device now, at a time, under a change or after a rollback.",
        query: [
            .required("platform", .platform), .required("os", .dottedVersion),
            .required(
                "app",
                .dottedVersion,
                "The version of the app that runs on the device."
            ),
            .optional("store", .dottedVersion), .required("language", .languages),
            .optional("client", .simulatedClient),
        ] + .moment + [.optional("from", .state), .optional("to", .state)]
    )

    package static let simulateEdits = Write<AppSlug, SimulationForm, SimulationAnswer>(
        .post("simulateEdits", "/v1/apps/{app}/simulate"),
        "Simulates a device after edits; nothing is written.",
        isQuestion: true
    )
}

/// The body of `POST /v1/apps/{app}/simulate`: a device, and edits that are not live yet.
///
/// ```json
/// {"device": {"platform": "ios", "os": "15.4", "app": "3.1.0", "store": "3.2.0",
///             "language": "de"},
///  "operations": [{"op": "setValue", "platform": "ios", "threshold": "minimumApp",
///                  "value": "3.2.0"}]}
/// ```
package struct SimulationForm: Form, Shaped {
    package let device: Device
    /// The apps that it runs; `nil` means the newest.
    package let client: ClientGeneration?
    /// Made on what is live before the device reads it.
    package let operations: [Operation]

    package init(
        device: Device,
        client: ClientGeneration? = nil,
        operations: [Operation] = []
    ) {
        self.device = device
        self.client = client
        self.operations = operations
    }

    package static let shape = Shape<Self>(
        "SimulationOrder",
        byHand: [
            .required("device", Device.shape.reference), .optional("client", .simulatedClient),
            .optional("operations", .array(of: Operation.shape.reference)),
        ]
    )

    package init?(_ reader: inout ObjectReader) {
        let device = reader.object("device", Device.init)
        let operations =
            reader.optionalArray("operations") == nil
            ? [] : reader.objects("operations") { Operation(&$0) }
        let client = reader.optionalString("client", needing: ClientGeneration.grammarOfSimulated) {
            ClientGeneration(simulated: $0, on: device?.platform)
        }
        guard let device, let operations else { return nil }
        if let client, client.platform != device.platform {
            reader.refuse("client", client.sentence(on: device.platform))
            return nil
        }
        self.init(device: device, client: client, operations: operations)
    }

    package var json: JSONObject {
        var json: JSONObject = [
            "device": .object(device.json), "operations": JSONValue(operations),
        ]
        json["client"] = client.map { .string($0.name) }
        return json
    }
}

extension ClientGeneration {
    /// What is wrong where it is asked about another platform.
    package func sentence(on platform: Platform) -> String {
        "\(name) runs on \(self.platform.rawValue), and the device on \(platform.rawValue)."
    }
}

extension Device: Form, Shaped {
    package static let shape = Shape<Self>(
        "Device",
        byHand: .oneOf([
            schema([.ios, .macos], .dotted, on: .dotted),
            schema([.android], .integer, on: .integer),
            schema([.jvm], .dotted, on: .integer),
        ])
    )

    private static func schema(
        _ platforms: [Platform],
        _ kind: VersionKind,
        on system: VersionKind
    ) -> Schema {
        .object([
            .required("platform", .names(platforms.map(\.rawValue))),
            .required("os", .version(system)), .required("app", .version(kind)),
            .optional("store", .version(kind)), .required("language", .language),
            .optional("otherLanguages", .array(of: .language)),
        ])
    }

    package init?(_ reader: inout ObjectReader) {
        let platform = reader.member("platform", .platform)
        let os = reader.systemVersion("os", on: platform)
        let app = reader.version("app", on: platform)
        let store = reader.optionalVersion("store", on: platform)
        let language = reader.member("language", .language)
        let others = reader.optionalMember("otherLanguages", .array(of: .language))
        guard let platform, let os, let app, let language else { return nil }
        self.init(
            platform: platform,
            os: os,
            app: app,
            store: store,
            language: language,
            others: others ?? []
        )
    }

    package var json: JSONObject {
        [
            "platform": .string(platform.rawValue),
            "os": JSONValue(os),
            "app": JSONValue(app),
            "store": store.map(JSONValue.init) ?? .null,
            "language": .string(languages[0].text),
            "otherLanguages": .array(languages.dropFirst().map { .string($0.text) }),
        ]
    }
}

/// What a device would show and be offered, which rule decides it, and what it was before.
package struct SimulationAnswer: Answer, Shaped {
    package let app: AppSlug
    package let platform: Platform
    package let from: DiffAnswer.Side
    /// `nil` where one state is looked at, or edits that are no state yet.
    package let to: DiffAnswer.Side?
    package let before: DeviceReading
    /// What was asked for.
    package let outcome: DeviceReading
    /// The apps in people's hands that refuse the document, and why.
    package let refusedBy: [Refuser]
    /// What the store offers the device; `nil` where that is not known.
    package let store: VersionValue?
    /// Whose app it is on the device: the one that was asked for, or the newest that is known; `nil`
    /// where there is none.
    package let client: String?

    /// A generation of clients that keeps its last document instead.
    package struct Refuser: Equatable, Sendable {
        package let client: String
        package let versions: String
        package let because: String

        package init(_ unread: UnreadDocument) {
            self.init(
                client: unread.generation.name,
                versions: unread.generation.versions,
                because: unread.reasons
            )
        }

        package init(client: String, versions: String, because: String) {
            (self.client, self.versions, self.because) = (client, versions, because)
        }

        package static let shape = Shape<Self>(
            nil,
            Self.init(client:versions:because:),
            .required("client", \.client, .string.described(as: .clientGeneration)),
            .required("versions", \.versions, .string),
            .required("because", \.because, .string)
        )
    }

    package init(
        app: AppSlug,
        platform: Platform,
        from: DiffAnswer.Side,
        to: DiffAnswer.Side?,
        before: DeviceReading,
        outcome: DeviceReading,
        refusedBy: [Refuser] = [],
        store: VersionValue? = nil,
        client: String? = nil
    ) {
        (self.app, self.platform, self.from, self.to) = (app, platform, from, to)
        (self.before, self.outcome, self.refusedBy) = (before, outcome, refusedBy)
        (self.store, self.client) = (store, client)
    }

    private var isMoved: Bool { before != outcome }

    /// The position whose state was read.
    package var position: Position { (to ?? from).position }

    package static let shape = Shape<Self>(
        "Simulation",
        Self.init(app:platform:from:to:before:outcome:refusedBy:store:client:),
        .required("app", \.app, .slug),
        .required("platform", \.platform, .names),
        .required("from", \.from, .object(DiffAnswer.Side.shape)),
        .nullable("to", \.to, .object(DiffAnswer.Side.shape)),
        .required("before", \.before, .object(DeviceReading.shape)),
        .part(\.outcome, DeviceReading.shape),
        .required("refusedBy", \.refusedBy, .objects(Refuser.shape), before: []),
        .nullable("store", \.store, .version),
        .nullable("client", \.client, .string.described(as: .simulatedClient))
    )
    .telling(
        .required("position", \.position, .position),
        .required("moved", \.isMoved, .bool)
    )
    .checking { answer, reader in
        let kind = answer.platform.versionKind
        reader.check(answer.store, is: kind, at: reader.pointer.appending("store"))
    }
}

/// What a typical device is told before and after.
extension DeviceOutlook: Answer, Shaped {
    package static let shape = Shape<Self>(
        "DeviceOutlook",
        { Self(typical: TypicalDevice(kind: $0, device: $1), before: $2, after: $3) },
        .required("kind", \.typical.kind, .names),
        .required("device", \.typical.device, .object(Device.shape)),
        .required("before", \.before, .object(DeviceReading.shape)),
        .required("after", \.after, .object(DeviceReading.shape))
    )
}

extension DeviceOutcome {
    package static let shape = Shape<Self>(
        nil,
        { verdict, title, description, because, keeps in
            Self(
                verdict: verdict,
                shownTitle: title,
                shownDescription: description,
                because: because,
                keepsLastDocument: keeps
            )
        },
        .required("verdict", \.verdict, .names),
        .part(\.shownTitle, shown("title")),
        .part(\.shownDescription, shown("description")),
        .required("because", \.because, .string),
        .required("keepsLastDocument", \.keepsLastDocument, .bool, before: false)
    )
    .telling(.required("runs", \.verdict.runs, .bool))

    /// A text that is shown, or by language those that it may be.
    private static func shown(_ name: String) -> Shape<ShownText?> {
        Shape(
            members: [
                .required(name, .nullable(.string)),
                .required("\(name)OneOf", .nullable(.anyObject)),
            ],
            read: { reader in
                let certain = reader.optionalString(name)
                let choices = reader.optionalObject("\(name)OneOf")?.members.compactMap { member in
                    LanguageTag(member.key).flatMap { tag in member.value.string.map { (tag, $0) } }
                }
                let several = choices.map { ShownText.oneOf(Dictionary($0) { first, _ in first }) }
                return .some(several ?? certain.map(ShownText.one))
            },
            write: { text, json in
                let choices = text?.choices ?? [:]
                let members = choices.sorted { $0.key < $1.key }.map { language, text in
                    JSONObject.Member(key: language.text, value: .string(text))
                }
                json[name] = JSONValue(text?.certain)
                json["\(name)OneOf"] = choices.isEmpty ? .null : .object(JSONObject(members))
            }
        )
    }
}

/// What the shipped apps show, and in `offers` what clients of Prince of Versions tell their app.
extension DeviceReading {
    package static let shape = Shape<Self>(
        "DeviceOutcome",
        Self.init(shown:offered:),
        .part(\.shown, DeviceOutcome.shape),
        .required("offers", \.offered, .object(OfferOutcome.shape))
    )
}

extension OfferOutcome {
    package static let shape = Shape<Self>(
        nil,
        Self.init(verdict:place:version:because:),
        .required("status", \.verdict, .names),
        .required("place", \.place, .offerPlace),
        .nullable("version", \.version, .offerVersion),
        .required("because", \.because, .string)
    )
}
