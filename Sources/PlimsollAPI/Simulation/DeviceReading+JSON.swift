package import PlimsollDomain
package import PlimsollJSON

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
