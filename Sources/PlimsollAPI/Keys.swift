package import PlimsollDomain
package import PlimsollJSON

extension Endpoints {
    static let keys: [any EndpointDeclaration] = [
        listKeys, getKey, addKey, activateKey, retireKey, compromiseKey, listEntryKeys, addEntryKey,
        retireEntryKey,
    ]

    package static let listKeys = Read<NoNames, KeyList>(
        .get("listKeys", "/v1/keys"),
        "The public halves of the signing keys."
    )

    package static let getKey = Read<KeyID, KeyAnswer>(
        .get("getKey", "/v1/keys/{key}"),
        "One signing key."
    )

    package static let addKey = Write<AppSlug, KeyForm, KeyAnswer>(
        .post("addKey", "/v1/apps/{app}/keys"),
        "Add a key that clients can learn; it signs nothing yet.",
        status: 201
    )

    package static let activateKey = Endpoint<KeyID, SeenKey, ReasonForm, KeyAnswer>(
        .post("activateKey", "/v1/keys/{key}/activate"),
        "Start signing with a key, besides those that sign already.",
        takes: "KeyTurn"
    )

    package static let retireKey = Endpoint<KeyID, SeenKey, ReasonForm, KeyAnswer>(
        .post("retireKey", "/v1/keys/{key}/retire"),
        "Stop signing with a key.",
        takes: "KeyTurn"
    )

    package static let compromiseKey = Write<KeyID, MandatoryReasonForm, KeyAnswer>(
        .post("compromiseKey", "/v1/keys/{key}/compromise"),
        "Stop using a stolen key at once; the other keys sign instead.",
        takes: "Compromise"
    )

    package static let listEntryKeys = Read<NoNames, EntryKeyList>(
        .get("listEntryKeys", "/v1/log/entry-keys"),
        "Which secrets authenticate the entries of the log, and where."
    )

    package static let addEntryKey = Write<NoNames, ReasonForm, EntryKeyAnswer>(
        .post("addEntryKey", "/v1/log/entry-keys"),
        "Authenticate the entries of the log with a new secret, which the service makes."
    )

    package static let retireEntryKey = Write<EntryKeyID, ReasonForm, EntryKeyAnswer>(
        .post("retireEntryKey", "/v1/log/entry-keys/{entryKey}/retire"),
        "Believe nothing more that is authenticated with a secret."
    )
}

/// The body of `POST /v1/apps/{app}/keys`; an empty one has the service make a key.
package struct KeyForm: Form, Shaped {
    package let place: KeyPlace
    package let reason: Reason?

    package init(place: KeyPlace = .made, reason: Reason? = nil) {
        self.place = place
        self.reason = reason
    }

    package static let shape = Shape<Self>(
        "KeyOrder",
        { Self(place: KeyPlace($0, $1, $2), reason: $3) },
        .optional("id", \.place.id, .key(needing: "a lower-case UUID")),
        .optional("environment", \.place.environment, .environment),
        .optional("keyService", \.place.service, .keyService),
        .optional("reason", \.reason, .reason)
    )
    .checking { form, reader in
        guard case .service = form.place else { return }
        if reader.object["id"]?.string.flatMap({ KeyID($0) }) != nil {
            reader.refuse("id", "The key service has given the key its id; leave it out.")
        }
        if reader.object["environment"]?.string.flatMap({ EnvironmentName($0) }) != nil {
            reader.refuse("environment", "A key is in one place; name this or keyService.")
        }
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

    fileprivate var id: KeyID? {
        switch self {
        case .made, .service: nil
        case .file(let id): id
        case .environment(_, let id): id
        }
    }

    fileprivate var environment: EnvironmentName? {
        if case .environment(let name, _) = self { name } else { nil }
    }

    fileprivate var service: KeyServiceName? {
        if case .service(let name) = self { name } else { nil }
    }
}

/// A signing key: what is public about it and where it stands in its life.
package struct KeyAnswer: Answer, Shaped {
    package let id: KeyID
    package let app: AppSlug
    package let state: KeyState
    /// The event that brought it there; `nil` in a dry run.
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

    private var algorithm: String { Self.algorithm }

    package static let shape = Shape<Self>(
        "Key",
        Self.init(id:app:state:position:publicKey:),
        .required("id", \.id, .key),
        .required("app", \.app, .slug),
        .required("state", \.state, .names),
        .nullable("position", \.position, .position),
        .required(
            "publicKey",
            \.publicKey,
            .string.described(as: .string.described("SubjectPublicKeyInfo, PEM."))
        )
    )
    .telling(
        .required(
            "algorithm",
            \.algorithm,
            .string.described(as: .constant(.string(algorithm)))
        )
    )
    .withDryRun
}

/// Every signing key of the apps that the caller may see.
package struct KeyList: Answer, Shaped {
    package let keys: [KeyAnswer]

    package init(keys: [KeyAnswer]) { self.keys = keys }

    package static let shape = Shape<Self>(
        "KeyList",
        Self.init(keys:),
        .required("keys", \.keys, .objects(KeyAnswer.shape))
    )
}

/// A secret that entries of the log are authenticated with, by its name.
package struct EntryKeyAnswer: Answer, Shaped {
    package let id: EntryKeyID
    /// The event that added it; `nil` in a dry run.
    package let added: Position?
    package let addedAt: Instant
    /// The event behind which it counts for nothing.
    package let retired: Position?

    package init(id: EntryKeyID, added: Position?, addedAt: Instant, retired: Position?) {
        self.id = id
        self.added = added
        self.addedAt = addedAt
        self.retired = retired
    }

    package static let shape = Shape<Self>(
        "EntryKey",
        Self.init(id:added:addedAt:retired:),
        .required("id", \.id, .entryKey),
        .nullable("added", \.added, .position),
        .required("addedAt", \.addedAt, .instant),
        .nullable("retired", \.retired, .position)
    )
    .withDryRun
}

/// Every such secret that there ever was, the oldest first.
package struct EntryKeyList: Answer, Shaped {
    package let keys: [EntryKeyAnswer]

    package init(keys: [EntryKeyAnswer]) { self.keys = keys }

    package static let shape = Shape<Self>(
        "EntryKeyList",
        Self.init(keys:),
        .required("keys", \.keys, .objects(EntryKeyAnswer.shape))
    )
}
