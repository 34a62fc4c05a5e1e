package import PlimsollDomain
package import PlimsollJSON

/// What a device would show and be offered, which rule decides it, and what it was before.
package struct SimulationAnswer: Answer {
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

        package init(client: String, versions: String, because: String) {
            (self.client, self.versions, self.because) = (client, versions, because)
        }
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

    /// The position whose state was read.
    package var position: Position { (to ?? from).position }

    package init?(_ reader: inout ObjectReader) {
        let app = reader.slug("app")
        let platform = reader.platform("platform")
        let from = reader.side("from")
        let to = reader.optionalNested("to", DiffAnswer.Side.init)
        let before = reader.optionalNested("before", DeviceReading.init)
        let outcome = DeviceReading(&reader)
        let refusedBy = reader.refusers()
        let store = reader.optionalVersion("store", on: platform)
        let client = reader.optionalString("client")
        guard let app, let platform, let from, let before, let outcome, let refusedBy else {
            return nil
        }
        self.init(
            app: app,
            platform: platform,
            from: from,
            to: to,
            before: before,
            outcome: outcome,
            refusedBy: refusedBy,
            store: store,
            client: client
        )
    }

    package var json: JSONObject {
        var json = outcome.json
        json["app"] = .string(app.text)
        json["platform"] = .string(platform.rawValue)
        json["position"] = JSONValue(position)
        json["from"] = .object(from.json)
        json["to"] = to.map { .object($0.json) } ?? .null
        json["before"] = .object(before.json)
        json["moved"] = .bool(before != outcome)
        json["store"] = store.map(JSONValue.init) ?? .null
        json["client"] = JSONValue(client)
        json["refusedBy"] = .array(refusedBy.map { .object($0.json) })
        return json
    }
}

extension SimulationAnswer.Refuser {
    fileprivate init?(_ reader: inout ObjectReader) {
        let client = reader.string("client")
        let versions = reader.string("versions")
        let because = reader.string("because")
        guard let client, let versions, let because else { return nil }
        self.init(client: client, versions: versions, because: because)
    }

    var json: JSONObject {
        [
            "client": .string(client), "versions": .string(versions), "because": .string(because),
        ]
    }
}

extension ObjectReader {
    /// The apps that refuse a document; a service of before does not say it.
    mutating func refusers() -> [SimulationAnswer.Refuser]? {
        optionalArray("refusedBy") == nil
            ? [] : objects("refusedBy", .ignored, SimulationAnswer.Refuser.init)
    }
}

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
        let title = reader.shownText("title")
        let description = reader.shownText("description")
        let because = reader.string("because")
        let keeps = reader.optionalBool("keepsLastDocument") ?? false
        guard let verdict, let because else { return nil }
        self.init(
            verdict: verdict,
            shownTitle: title,
            shownDescription: description,
            because: because,
            keepsLastDocument: keeps
        )
    }

    package var json: JSONObject {
        [
            "verdict": .string(verdict.rawValue), "runs": .bool(verdict.runs),
            "title": JSONValue(title), "titleOneOf": choices(shownTitle),
            "description": JSONValue(description), "descriptionOneOf": choices(shownDescription),
            "because": .string(because), "keepsLastDocument": .bool(keepsLastDocument),
        ]
    }

    /// By language; null where the text is certain.
    private func choices(_ text: ShownText?) -> JSONValue {
        guard let texts = text?.choices, !texts.isEmpty else { return .null }
        let members = texts.sorted { $0.key < $1.key }.map { language, text in
            JSONObject.Member(key: language.text, value: .string(text))
        }
        return .object(JSONObject(members))
    }
}

extension ObjectReader {
    /// A text that is shown, or those that it may be.
    fileprivate mutating func shownText(_ key: String) -> ShownText? {
        let certain = optionalString(key)
        let choices = optionalObject("\(key)OneOf")?.members.compactMap { member in
            LanguageTag(member.key).flatMap { tag in member.value.string.map { (tag, $0) } }
        }
        return choices.map { .oneOf(Dictionary($0) { first, _ in first }) }
            ?? certain.map(ShownText.one)
    }
}

/// What the shipped apps show, and in `offers` what clients of Prince of Versions tell their app.
extension DeviceReading {
    package init?(_ reader: inout ObjectReader) {
        let shown = DeviceOutcome(&reader)
        let offered = reader.optionalNested("offers", OfferOutcome.init)
        guard let shown, let offered else { return nil }
        self.init(shown: shown, offered: offered)
    }

    package var json: JSONObject {
        var json = shown.json
        json["offers"] = .object(offered.json)
        return json
    }
}

extension OfferOutcome {
    init?(_ reader: inout ObjectReader) {
        let verdict = reader.name("status", as: OfferVerdict.self)
        let place = reader.offerPlace("place")
        let version = reader.offerVersion("version", on: nil)
        let because = reader.string("because")
        guard let verdict, let place, let because else { return nil }
        self.init(verdict: verdict, place: place, version: version, because: because)
    }

    var json: JSONObject {
        [
            "status": .string(verdict.rawValue), "place": .integer(Int64(place)),
            "version": JSONValue(version), "because": .string(because),
        ]
    }
}
