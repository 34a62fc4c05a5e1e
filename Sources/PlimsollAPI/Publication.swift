package import PlimsollDomain
import PlimsollJSON

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

/// A snapshot that was published, as the log was told.
package struct SnapshotAnswer: Answer, Shaped {
    package let app: AppSlug
    package let record: PublicationRecord
    package let publishedAt: Instant

    package init(app: AppSlug, record: PublicationRecord, publishedAt: Instant) {
        self.app = app
        self.record = record
        self.publishedAt = publishedAt
    }

    package static let shape = Shape<Self>(
        "Snapshot",
        { app, sequence, position, digest, keys, publishedAt in
            let record = PublicationRecord(
                sequence: sequence,
                position: position,
                manifestDigest: digest,
                keys: keys
            )
            return Self(app: app, record: record, publishedAt: publishedAt)
        },
        .required("app", \.app, .slug),
        .required("sequence", \.record.sequence, .sequence),
        .required("position", \.record.position, .position),
        .required("manifestDigest", \.record.manifestDigest, .string.described(as: .digest)),
        .required("keys", \.record.keys, .array(of: .key)),
        .required("publishedAt", \.publishedAt, .instant)
    )
}

/// A part of what was published, newest first, and where the next part begins.
package struct SnapshotList: Answer, Shaped {
    package let snapshots: [SnapshotAnswer]
    /// The cursor of the next part; `nil` where the list has come to its end.
    package let next: String?

    package init(snapshots: [SnapshotAnswer], next: String?) {
        self.snapshots = snapshots
        self.next = next
    }

    package static let shape = Shape<Self>(
        "SnapshotList",
        Self.init(snapshots:next:),
        .required("snapshots", \.snapshots, .objects(SnapshotAnswer.shape)),
        .nullable("next", \.next, .cursor)
    )
}

/// How the service does, in one word: what `/healthz` and `/readyz` answer.
package struct HealthAnswer: Answer, Shaped {
    package let status: String

    /// The process lives.
    package static let alive = HealthAnswer(status: "alive")
    /// Writes can be made and read models are up to date.
    package static let ready = HealthAnswer(status: "ready")

    private init(status: String) { self.status = status }

    package static let shape = Shape<Self>(
        "Health",
        Self.init(status:),
        .required("status", \.status, .string)
    )
}
