package import PlimsollDomain
package import PlimsollJSON

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
