/// When a change is to come into force, and when it is to end.
package struct Schedule: Codable, Hashable, Sendable {
    /// When it is applied; `nil` with the last approval.
    package let at: Instant?
    /// When the fields go back to what they were; `nil` never.
    package let until: Instant?
    /// The name of the zone (IANA) that its author thinks in; only shown, the instants are in UTC.
    package let timeZone: TimeZoneName

    package init(at: Instant?, until: Instant?, timeZone: TimeZoneName) {
        self.at = at
        self.until = until
        self.timeZone = timeZone
    }
}

/// The name of a time zone as the tz database writes it: `Europe/London`, `UTC`.
package struct TimeZoneName: Codable, Hashable, Sendable {
    package let text: String

    package static let grammar = "the name of a time zone such as Europe/London or UTC"

    package static let utc = TimeZoneName(unchecked: "UTC")

    /// `UTC`, or an area and a place in at most 64 letters, digits, `_`, `+` and `-`.
    ///
    /// Abbreviations are no zones: to the tz data `BST` may be Bangladesh.
    package init?(_ text: String) {
        let names = text.split(separator: "/", omittingEmptySubsequences: false)
        guard text == "UTC" || names.count > 1, text.utf8.count <= 64,
            names.allSatisfy({ !$0.isEmpty }), text.utf8.allSatisfy({ TimeZoneName.isAllowed($0) })
        else { return nil }
        self.text = text
    }

    private init(unchecked text: String) { self.text = text }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || [0x5F, 0x2B, 0x2D, 0x2F].contains(byte)
    }
}
