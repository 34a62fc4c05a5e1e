/// A version code or an API level: a whole number from 1 to 2 147 483 647.
package struct AndroidVersion: Hashable, Comparable, Sendable {
    package let number: Int32

    package static let grammar = "a whole number from 1 to 2147483647"

    package static let first = AndroidVersion(unchecked: 1)

    private init(unchecked number: Int32) { self.number = number }

    package init?(_ number: Int64) {
        guard number >= 1, let number = Int32(exactly: number) else { return nil }
        self.number = number
    }

    package var preceding: AndroidVersion? { AndroidVersion(Int64(number) - 1) }

    package static func < (left: AndroidVersion, right: AndroidVersion) -> Bool {
        left.number < right.number
    }
}

extension AndroidVersion: CustomStringConvertible {
    package var description: String { String(number) }
}
