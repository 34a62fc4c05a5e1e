/// A number that Apple gives out: written in decimal digits, and greater than some programs can count.
package protocol AppleIdentifier: Hashable, Comparable, Sendable, CustomStringConvertible {
    var number: UInt64 { get }
    init?(number: UInt64)
}

extension AppleIdentifier {
    package static var grammar: String { "a string of digits, from 1 to \(UInt64.max)" }

    /// Reads the decimal form: no sign, no leading zero.
    package init?(_ text: String) {
        guard let number = UInt64(text), String(number) == text else { return nil }
        self.init(number: number)
    }

    package var text: String { String(number) }

    package var description: String { text }

    package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// Which app it is, in App Store Connect and in the requests of devices.
package struct AppleItemID: Codable, AppleIdentifier {
    package let number: UInt64

    package init?(number: UInt64) {
        guard number > 0 else { return nil }
        self.number = number
    }
}

/// Which version of an app it is: those that came later have the greater number.
///
/// Numbers of bundles and dates go back now and then; these never do.
package struct AppleVersionID: Codable, AppleIdentifier {
    package let number: UInt64

    package init?(number: UInt64) {
        guard number > 0 else { return nil }
        self.number = number
    }
}

/// The id of an alternative distribution package in App Store Connect: what notifications name.
package struct PackageID: Codable, Comparable, TextName {
    package let text: String

    package static let grammar = "1 to 100 letters, digits and hyphens"

    package init?(_ text: String) {
        guard (1...100).contains(text.utf8.count), text.utf8.allSatisfy(isIdentifierByte) else {
            return nil
        }
        self.text = text
    }
}

/// The name of an app in its bundle: `org.example.harbour`.
package struct BundleID: Codable, TextName {
    package let text: String

    package static let grammar = "1 to 155 letters, digits, hyphens and dots"

    package init?(_ text: String) {
        let isAllowed = { (byte: UInt8) in isIdentifierByte(byte) || byte == UInt8(ascii: ".") }
        guard (1...155).contains(text.utf8.count), text.utf8.allSatisfy(isAllowed) else {
            return nil
        }
        self.text = text
    }
}

private func isIdentifierByte(_ byte: UInt8) -> Bool {
    isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "-")
}
