package import PlimsollDomain
package import PlimsollJSON

extension Endpoints {
    static let snapshots: [any EndpointDeclaration] = [listSnapshots]

    package static let listSnapshots = Read<NoNames, SnapshotList>(
        .get("listSnapshots", "/v1/snapshots"),
        "The published snapshots of an app, newest first.",
        query: [.required("app", .slug)] + .paging(most: 500)
    )
}

/// A snapshot that was published, as the log was told.
extension PublishedSnapshot: Answer, Shaped {
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
    package let snapshots: [PublishedSnapshot]
    /// The cursor of the next part; `nil` where the list has come to its end.
    package let next: String?

    package init(snapshots: [PublishedSnapshot], next: String?) {
        self.snapshots = snapshots
        self.next = next
    }

    package static let shape = Shape<Self>(
        "SnapshotList",
        Self.init(snapshots:next:),
        .required("snapshots", \.snapshots, .objects(PublishedSnapshot.shape)),
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

    package static let shape = Shape<Self>(
        "Health",
        Self.init(status:),
        .required("status", \.status, .string)
    )
}
