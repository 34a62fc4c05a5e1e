package import PlimsollDomain
package import PlimsollJSON

/// What a typical device is told before and after.
extension DeviceOutlook: Answer {
    package init?(_ reader: inout ObjectReader) {
        let kind = reader.name("kind", as: TypicalDevice.Kind.self)
        let device = reader.optionalNested("device", Device.init)
        let before = reader.optionalNested("before", DeviceReading.init)
        let after = reader.optionalNested("after", DeviceReading.init)
        guard let kind, let device, let before, let after else { return nil }
        self.init(
            typical: TypicalDevice(kind: kind, device: device),
            before: before,
            after: after
        )
    }

    package var json: JSONObject {
        [
            "kind": .string(typical.kind.rawValue), "device": .object(typical.device.json),
            "before": .object(before.json), "after": .object(after.json),
        ]
    }
}

extension DeviceOutcome {
    init?(_ reader: inout ObjectReader) {
        let verdict = reader.name("verdict", as: DeviceVerdict.self)
        let title = reader.optionalString("title")
        let description = reader.optionalString("description")
        let because = reader.string("because")
        guard let verdict, let because else { return nil }
        self.init(verdict: verdict, title: title, description: description, because: because)
    }

    package var json: JSONObject {
        [
            "verdict": .string(verdict.rawValue), "runs": .bool(verdict.runs),
            "title": JSONValue(title), "description": JSONValue(description),
            "because": .string(because),
        ]
    }
}
