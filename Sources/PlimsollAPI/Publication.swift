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

/// A signing key: what is public about it and where it stands in its life.
package struct KeyAnswer: Answer {
    package let id: KeyID
    package let app: AppSlug
    package let state: KeyState
    /// The event that brought it there; `nil` where it was only tried.
    package let position: Position?
    /// The SubjectPublicKeyInfo as PEM, for `openssl` and for apps to pin.
    package let publicKey: String

    /// What every key signs with: ECDSA on P-256 over SHA-256.
    package static let algorithm = "ECDSA_SHA_256"

    package init(
        id: KeyID,
        app: AppSlug,
        state: KeyState,
        position: Position?,
        publicKey: String
    ) {
        self.id = id
        self.app = app
        self.state = state
        self.position = position
        self.publicKey = publicKey
    }

    package init?(_ reader: inout ObjectReader) {
        let id = reader.string("id", needing: "a key's id", KeyID.init)
        let app = reader.slug("app")
        let state = reader.name("state", as: KeyState.self)
        let position = reader.optionalPosition("position")
        let publicKey = reader.string("publicKey")
        guard let id, let app, let state, let publicKey else { return nil }
        self.init(id: id, app: app, state: state, position: position, publicKey: publicKey)
    }

    package var json: JSONObject {
        [
            "id": .string(id.text),
            "app": .string(app.text),
            "state": .string(state.rawValue),
            "position": JSONValue(position),
            "algorithm": .string(Self.algorithm),
            "publicKey": .string(publicKey),
        ]
    }
}

/// Every signing key of the apps that the caller may see.
package struct KeyList: Answer {
    package let keys: [KeyAnswer]

    package init(keys: [KeyAnswer]) { self.keys = keys }

    package init?(_ reader: inout ObjectReader) {
        guard let keys = reader.objects("keys", .ignored, KeyAnswer.init) else { return nil }
        self.init(keys: keys)
    }

    package var json: JSONObject { ["keys": JSONValue(keys)] }
}

/// A snapshot that was published, as the log was told.
package struct SnapshotAnswer: Answer {
    package let app: AppSlug
    package let record: PublicationRecord
    package let publishedAt: Instant

    package init(app: AppSlug, record: PublicationRecord, publishedAt: Instant) {
        self.app = app
        self.record = record
        self.publishedAt = publishedAt
    }

    package init?(_ reader: inout ObjectReader) {
        let app = reader.slug("app")
        let sequence = reader.sequence("sequence")
        let position = reader.position("position")
        let digest = reader.string("manifestDigest")
        let keys = reader.strings("keys", needing: "a key's id", KeyID.init)
        let publishedAt = reader.instant("publishedAt")
        guard
            let app, let sequence, let position, let digest, let keys, let publishedAt
        else { return nil }
        let record = PublicationRecord(
            sequence: sequence,
            position: position,
            manifestDigest: digest,
            keys: keys
        )
        self.init(app: app, record: record, publishedAt: publishedAt)
    }

    package var json: JSONObject {
        [
            "app": .string(app.text),
            "sequence": JSONValue(record.sequence),
            "position": JSONValue(record.position),
            "manifestDigest": .string(record.manifestDigest),
            "keys": .array(record.keys.map { .string($0.text) }),
            "publishedAt": JSONValue(publishedAt),
        ]
    }
}

/// A part of what was published, newest first, and where the next part begins.
package struct SnapshotList: Answer {
    package let snapshots: [SnapshotAnswer]
    /// The cursor of the next part; `nil` where the list has come to its end.
    package let next: String?

    package init(snapshots: [SnapshotAnswer], next: String?) {
        self.snapshots = snapshots
        self.next = next
    }

    package init?(_ reader: inout ObjectReader) {
        let snapshots = reader.objects("snapshots", .ignored, SnapshotAnswer.init)
        let next = reader.optionalString("next")
        guard let snapshots else { return nil }
        self.init(snapshots: snapshots, next: next)
    }

    package var json: JSONObject {
        ["snapshots": JSONValue(snapshots), "next": JSONValue(next)]
    }
}
