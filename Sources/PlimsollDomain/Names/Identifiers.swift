package import Foundation

/// The number of a change, counted from 1; people say it aloud in the night.
package struct ChangeID: RawRepresentable, Codable, Hashable, Comparable, Sendable {
    package let rawValue: Int64

    package init?(rawValue: Int64) {
        guard rawValue > 0 else { return nil }
        self.rawValue = rawValue
    }

    /// Reads the decimal form: no sign, no leading zero.
    package init?(_ text: String) {
        guard let number = Int64(text), String(number) == text else { return nil }
        self.init(rawValue: number)
    }

    package static let first = ChangeID(unchecked: 1)

    package var next: ChangeID { ChangeID(unchecked: rawValue + 1) }

    private init(unchecked rawValue: Int64) {
        self.rawValue = rawValue
    }

    package static func < (left: ChangeID, right: ChangeID) -> Bool {
        left.rawValue < right.rawValue
    }
}

extension ChangeID: CustomStringConvertible {
    package var description: String { String(rawValue) }
}

/// Who acts: an opaque id; the person's name is kept outside the log.
package struct PrincipalID: Codable, TextName {
    /// `nil` for Plimsoll itself.
    private let uuid: UUID?

    /// Plimsoll itself: it makes keys, renews and publishes.
    package static let system = PrincipalID()

    private static let systemText = "system"

    package init(_ uuid: UUID) { self.uuid = uuid }

    /// Reads what ``text`` gives: a lower-case UUID, or `system`.
    package init?(_ text: String) {
        if text == Self.systemText {
            self = .system
        } else if let uuid = canonicalUUID(text) {
            self.init(uuid)
        } else {
            return nil
        }
    }

    private init() { uuid = nil }

    package var text: String { uuid?.text ?? Self.systemText }
}

extension String {
    /// A sentence with names in the place of the ids of principals, as far as there are any.
    ///
    /// Ids are looked for in the sentence alone: what a name says is never taken for one.
    package func naming(_ name: (PrincipalID) -> String?) -> String {
        replacing(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/) { match in
            let id = String(match.output)
            return PrincipalID(id).flatMap(name) ?? id
        }
    }
}

/// The id of an access token; the secret part is only ever shown to its owner.
package struct TokenID: Codable, Hashable, Sendable {
    package let uuid: UUID

    package init(_ uuid: UUID) { self.uuid = uuid }

    package init?(_ text: String) {
        guard let uuid = canonicalUUID(text) else { return nil }
        self.uuid = uuid
    }
}

extension TokenID: CustomStringConvertible {
    package var description: String { uuid.text }
}

/// The id of a session of the console.
package struct SessionID: Hashable, Sendable {
    package let uuid: UUID

    package init(_ uuid: UUID) { self.uuid = uuid }

    package init?(_ text: String) {
        guard let uuid = canonicalUUID(text) else { return nil }
        self.uuid = uuid
    }
}

extension SessionID: CustomStringConvertible {
    package var description: String { uuid.text }
}

/// The id of a signing key, as phones compare it: a lower-case UUID, letter for letter.
package struct KeyID: Codable, Comparable, TextName {
    package let text: String

    package init(_ uuid: UUID) { text = uuid.text }

    package init?(_ text: String) {
        guard canonicalUUID(text) != nil else { return nil }
        self.text = text
    }
}

/// A UUID in its canonical lower-case text form, or `nil`.
func canonicalUUID(_ text: String) -> UUID? {
    guard let uuid = UUID(uuidString: text), uuid.text == text else {
        return nil
    }
    return uuid
}

extension UUID {
    /// The canonical form, in small letters.
    ///
    /// Foundation's own goes through `vsnprintf`, which takes ten times as long, and writes
    /// capitals; every event has half a dozen of them.
    package var text: String {
        let bytes = uuid
        let values = [
            bytes.0, bytes.1, bytes.2, bytes.3, bytes.4, bytes.5, bytes.6, bytes.7,
            bytes.8, bytes.9, bytes.10, bytes.11, bytes.12, bytes.13, bytes.14, bytes.15,
        ]
        var digits: [UInt8] = []
        digits.reserveCapacity(36)
        for (index, value) in values.enumerated() {
            if index == 4 || index == 6 || index == 8 || index == 10 { digits.append(0x2D) }
            digits.append(hexDigit(value >> 4))
            digits.append(hexDigit(value & 0xF))
        }
        return String(decoding: digits, as: UTF8.self)
    }
}

private func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }
