/// How a platform writes its versions.
package enum VersionKind: Codable, Sendable {
    case dotted
    case integer

    package var grammar: String {
        switch self {
        case .dotted: AppleVersion.grammar
        case .integer: AndroidVersion.grammar
        }
    }
}

/// The value of a threshold.
package enum VersionValue: Codable, Hashable, Sendable {
    case dotted(AppleVersion)
    case integer(AndroidVersion)

    /// A version as its platform writes it.
    package init?(text: String, _ kind: VersionKind) {
        switch kind {
        case .dotted:
            guard let version = AppleVersion(text) else { return nil }
            self = .dotted(version)
        case .integer:
            guard let version = Int64(text).flatMap(AndroidVersion.init) else { return nil }
            self = .integer(version)
        }
    }

    /// The first version there can be.
    static func first(_ kind: VersionKind) -> VersionValue {
        switch kind {
        case .dotted: .dotted(.first)
        case .integer: .integer(.first)
        }
    }

    package var kind: VersionKind {
        switch self {
        case .dotted: .dotted
        case .integer: .integer
        }
    }

    /// Whether a device on this version lies below the other; never for versions of two kinds.
    package func isOlder(than other: VersionValue) -> Bool {
        switch (self, other) {
        case (.dotted(let version), .dotted(let other)): version.isOlder(than: other)
        case (.integer(let version), .integer(let other)): version < other
        case (.dotted, .integer), (.integer, .dotted): false
        }
    }

    /// Equal for versions that are the same, however they are written, and in their order.
    package var comparable: [Int32] {
        switch self {
        case .dotted(let version): version.comparable
        case .integer(let version): [version.number]
        }
    }

    /// The version just below, if there is one.
    package var preceding: VersionValue? {
        switch self {
        case .dotted(let version): version.preceding.map(VersionValue.dotted)
        case .integer(let version): version.preceding.map(VersionValue.integer)
        }
    }

    /// Whether the value lies above nothing, which only a dotted `0` does not.
    package var holdsSomebodyBack: Bool {
        switch self {
        case .dotted(let version): AppleVersion.zero.isOlder(than: version)
        case .integer: true
        }
    }
}

extension VersionValue: CustomStringConvertible {
    package var description: String {
        switch self {
        case .dotted(let version): version.written
        case .integer(let version): String(version.number)
        }
    }
}

/// A version code or an API level: a whole number from 1 to 2 147 483 647.
package struct AndroidVersion: Codable, Hashable, Comparable, Sendable {
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

/// A version as Apple's platforms write it: one to three whole numbers between dots.
///
/// Numbers are compared as numbers and a missing one counts as 0, so `6.00`, `6.0` and `6` are
/// the same version; the written form is kept, because it is what gets published.
package struct AppleVersion: Codable, Hashable, Sendable {
    package let written: String
    /// One to three, as far as they are written.
    let numbers: [Int32]

    package static let grammar =
        "one to three whole numbers up to 2147483647, separated by dots, such as 3.2.0"

    package init?(_ written: String) {
        let parts = written.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count) else { return nil }
        var numbers: [Int32] = []
        for part in parts {
            guard
                (1...10).contains(part.utf8.count), part.utf8.allSatisfy(isDigit),
                let number = Int32(part)
            else { return nil }
            numbers.append(number)
        }
        self.written = written
        self.numbers = numbers
    }

    package static let zero = AppleVersion(unchecked: "0", numbers: [0])

    package static let first = AppleVersion(unchecked: "1", numbers: [1])

    private init(unchecked written: String, numbers: [Int32]) {
        self.written = written
        self.numbers = numbers
    }

    /// Whether a device on this version lies below the other.
    package func isOlder(than other: AppleVersion) -> Bool {
        for place in 0..<3 {
            let (number, otherNumber) = (number(at: place), other.number(at: place))
            guard number == otherNumber else { return number < otherNumber }
        }
        return false
    }

    /// What is not written counts as 0.
    private func number(at place: Int) -> Int32 {
        place < numbers.count ? numbers[place] : 0
    }

    /// The version just below, as releases are counted: the last number that is not 0 is one less.
    ///
    /// `3.2.0` gives `3.1.0`, and `3.0` gives `2.0`; there is none below 0.
    package var preceding: AppleVersion? {
        guard let last = numbers.lastIndex(where: { $0 > 0 }) else { return nil }
        var lower = numbers
        lower[last] -= 1
        return AppleVersion(lower.map(String.init).joined(separator: "."))
    }

    /// Equal for versions that are the same, however they are written.
    var comparable: [Int32] {
        numbers + Array(repeating: 0, count: 3 - numbers.count)
    }
}

extension AppleVersion: CustomStringConvertible {
    package var description: String { written }
}
