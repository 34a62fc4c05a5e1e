/// Makes documents of bytes: first the signature, then the content, then where it belongs.
///
/// It has no memory and no clock, so it cannot tell an old document from the newest; a
/// ``AvailabilityClient`` can. Use it by itself for documents that come another way, such as one
/// that is shipped with the app.
public struct DocumentVerifier: Sendable {
    private let keys: PinnedKeys
    private let app: String
    private let platform: Platform

    /// For the documents of one app on one platform.
    public init(keys: PinnedKeys, app: String, platform: Platform) {
        self.keys = keys
        self.app = app
        self.platform = platform
    }

    /// The document, if the bytes are signed with a pinned key and are of this app and platform.
    ///
    /// - Throws: ``AvailabilityError/Code/signatureMissing``,
    ///   ``AvailabilityError/Code/signatureMalformed``, ``AvailabilityError/Code/keyUnknown``,
    ///   ``AvailabilityError/Code/signatureWrong``, ``AvailabilityError/Code/documentMalformed``,
    ///   ``AvailabilityError/Code/anotherApp`` or ``AvailabilityError/Code/anotherPlatform``.
    public func document(
        from signed: SignedDocument
    ) throws(AvailabilityError) -> AvailabilityDocument {
        try signed.verify(with: keys)
        let document = try AvailabilityDocument(parsing: signed.body)
        guard document.stamp.app == app else {
            throw AvailabilityError(
                .anotherApp,
                "The document is of the app \(document.stamp.app.prefix(64)); \(app) is needed."
            )
        }
        guard document.stamp.platform == platform else {
            throw AvailabilityError(
                .anotherPlatform,
                "The document is for \(document.stamp.platform.rawValue);"
                    + " one for \(platform.rawValue) is needed."
            )
        }
        return document
    }
}
