/// What an approval binds to: if any of it differs, the approval is of something else.
package struct ChangeContent: Equatable, Sendable {
    package let app: AppSlug
    package let operations: [Operation]
    package let schedule: Schedule?
    /// Each field before and after, against what is live.
    package let effect: [FieldChange]

    package init(
        app: AppSlug,
        operations: [Operation],
        schedule: Schedule?,
        effect: [FieldChange]
    ) {
        self.app = app
        self.operations = operations
        self.schedule = schedule
        self.effect = effect
    }
}

/// SHA-256 of the canonical form of a ``ChangeContent``; it is the change's entity tag.
package struct ChangeDigest: Hashable, Sendable {
    /// 64 lower-case hexadecimal digits.
    package let hex: String

    package init?(hex: String) {
        guard hex.utf8.count == 64, hex.utf8.allSatisfy(isHexDigit) else { return nil }
        self.hex = hex
    }
}

extension ChangeDigest: CustomStringConvertible {
    package var description: String { hex }
}

/// Makes the digest of a content; the domain says what is hashed, not how.
package typealias ChangeHash = @Sendable (ChangeContent) -> ChangeDigest
