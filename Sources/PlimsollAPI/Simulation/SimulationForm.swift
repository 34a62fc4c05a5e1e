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
package struct SimulationForm: Form {
    package let device: Device
    /// Made on what is live before the device reads it.
    package let operations: [Operation]

    package init(device: Device, operations: [Operation] = []) {
        self.device = device
        self.operations = operations
    }

    package init?(_ reader: inout ObjectReader) {
        let device = reader.object("device", Device.init)
        let operations =
            reader.optionalArray("operations") == nil
            ? [] : reader.objects("operations", .refused, Operation.init)
        guard let device, let operations else { return nil }
        self.init(device: device, operations: operations)
    }

    package var json: JSONObject {
        ["device": .object(device.json), "operations": JSONValue(operations)]
    }
}

extension Device: Form {
    package init?(_ reader: inout ObjectReader) {
        let platform = reader.platform("platform")
        let os = reader.systemVersion("os", on: platform)
        let app = reader.version("app", on: platform)
        let store = reader.optionalVersion("store", on: platform)
        let language = reader.language("language")
        guard let platform, let os, let app, let language else { return nil }
        self.init(platform: platform, os: os, app: app, store: store, language: language)
    }

    package var json: JSONObject {
        [
            "platform": .string(platform.rawValue),
            "os": JSONValue(os),
            "app": JSONValue(app),
            "store": store.map(JSONValue.init) ?? .null,
            "language": .string(language.text),
        ]
    }
}
