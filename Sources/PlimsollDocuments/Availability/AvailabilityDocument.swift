package import PlimsollDomain

/// A document in the form of the NHS COVID-19 apps, as phones fetch it.
///
/// The same document, stamp and profile always have the same bytes. Values are strings on Apple's
/// platforms and numbers on Android.
package struct AvailabilityDocument: Equatable, Sendable {
    /// Without offers, which it does not tell.
    package let document: Document
    /// `nil` in documents that this service did not publish.
    package let stamp: DocumentStamp?

    package static let mediaType = "application/json"

    package init(_ document: Document, stamp: DocumentStamp?) {
        precondition(
            Self.fileName(for: document.platform) != nil,
            "there is no availability document for \(document.platform.rawValue)"
        )
        precondition(
            stamp.map { $0.platform == document.platform } ?? true,
            "a document is stamped with its own platform"
        )
        var told = document
        (told.offers, told.legacy) = ([], nil)
        self.document = told
        self.stamp = stamp
    }

    /// The last segment of its address; `nil` for a platform without an availability document.
    package static func fileName(for platform: Platform) -> FileName? {
        platform.thresholds.isEmpty ? nil : FileName("availability-\(platform.rawValue)")
    }
}
