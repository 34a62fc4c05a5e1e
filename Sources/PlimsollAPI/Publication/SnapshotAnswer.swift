package import PlimsollDomain
package import PlimsollJSON

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
