package import PlimsollDomain
package import PlimsollJSON

/// The body of `POST /v1/apps/{app}/keys`; an empty one has the service make a key.
package struct KeyForm: Form {
    package let place: KeyPlace
    package let reason: Reason?

    package init(place: KeyPlace = .made, reason: Reason? = nil) {
        self.place = place
        self.reason = reason
    }

    package init?(_ reader: inout ObjectReader) {
        let id = reader.optionalString("id", needing: "a lower-case UUID") { KeyID($0) }
        let environment = reader.optionalString(
            "environment",
            needing: EnvironmentName.grammar,
            EnvironmentName.init
        )
        let service = reader.optionalString(
            "keyService",
            needing: KeyServiceName.grammar,
            KeyServiceName.init
        )
        let reason = reader.optionalReason("reason")
        if service != nil, id != nil {
            reader.refuse("id", "The key service has given the key its id; leave it out.")
        }
        if service != nil, environment != nil {
            reader.refuse("environment", "A key is in one place; name this or keyService.")
        }
        self.init(place: KeyPlace(id, environment, service), reason: reason)
    }

    package var json: JSONObject {
        var json: JSONObject = [
            "id": .null, "environment": .null, "keyService": .null,
            "reason": JSONValue(reason?.text),
        ]
        switch place {
        case .made: break
        case .file(let id): json["id"] = .string(id.text)
        case .environment(let name, let id):
            json["environment"] = .string(name.text)
            json["id"] = JSONValue(id?.text)
        case .service(let name): json["keyService"] = .string(name.text)
        }
        return json
    }
}

extension KeyPlace {
    fileprivate init(_ id: KeyID?, _ environment: EnvironmentName?, _ service: KeyServiceName?) {
        if let service {
            self = .service(service)
        } else if let environment {
            self = .environment(environment, id)
        } else {
            self = id.map(KeyPlace.file) ?? .made
        }
    }
}

/// The body with which a key is activated or retired.
package struct KeyTurnForm: Form {
    package let reason: Reason?

    package init(reason: Reason? = nil) { self.reason = reason }

    package init?(_ reader: inout ObjectReader) {
        self.init(reason: reader.optionalReason("reason"))
    }

    package var json: JSONObject { ["reason": JSONValue(reason?.text)] }
}

/// The body of `POST /v1/keys/{key}/compromise`: why nobody is to believe the key any more.
package struct CompromiseForm: Form {
    package let reason: Reason

    package init(reason: Reason) { self.reason = reason }

    package init?(_ reader: inout ObjectReader) {
        guard let reason = reader.reason("reason") else { return nil }
        self.init(reason: reason)
    }

    package var json: JSONObject { ["reason": .string(reason.text)] }
}
