package import PlimsollDomain

/// What was published, in a list.
package struct PublishedSnapshot: Equatable, Sendable {
    package let app: AppSlug
    package let record: PublicationRecord
    package let publishedAt: Instant

    package init(app: AppSlug, record: PublicationRecord, publishedAt: Instant) {
        self.app = app
        self.record = record
        self.publishedAt = publishedAt
    }
}
