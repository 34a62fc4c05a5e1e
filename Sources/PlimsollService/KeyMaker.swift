package import PlimsollDomain

/// Makes signing keys and keeps their private halves; where, is not the use cases' business.
package struct KeyMaker: Sendable {
    /// Makes a key for an app and keeps it durably before it returns.
    package let make: @Sendable (AppSlug) async throws -> KeyRecord
    /// Forgets a key that never came to be used.
    package let discard: @Sendable (KeyRecord) async -> Void
    /// Has a key of an app at hand that is kept in the place, durably; nothing in a dry run.
    ///
    /// Throws ``KeyUnusable`` where somebody has to mend something first.
    package let keep: @Sendable (KeyPlace, AppSlug, WriteMode) async throws -> KeptKey
    /// Has the key sign for trial; throws ``KeyUnusable`` where it does not.
    package let prove: @Sendable (KeyRecord) async throws -> Void

    package init(
        make: @escaping @Sendable (AppSlug) async throws -> KeyRecord,
        discard: @escaping @Sendable (KeyRecord) async -> Void,
        keep: @escaping @Sendable (KeyPlace, AppSlug, WriteMode) async throws -> KeptKey,
        prove: @escaping @Sendable (KeyRecord) async throws -> Void
    ) {
        self.make = make
        self.discard = discard
        self.keep = keep
        self.prove = prove
    }
}

/// A key cannot be used where it is said to be; the reason is part of a sentence.
package struct KeyUnusable: Error, Equatable, Sendable {
    package let reason: String

    package init(reason: String) {
        self.reason = reason
    }
}
