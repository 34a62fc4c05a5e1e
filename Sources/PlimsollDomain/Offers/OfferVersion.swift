/// A version as Prince of Versions writes it so that every client reads it alike.
///
/// Three numbers between dots on Apple's platforms and the JVM, with a build on Apple's where one
/// is meant; a version code on Android. 0 is older than anything and so offers nothing.
package struct OfferVersion: Codable, Hashable, Sendable {
    private let numbers: [Int32]
    /// Only what was built before it is below a version with a build.
    package let build: Int32?
    package let kind: VersionKind

    /// Nine digits are read alike by all; beyond that they differ.
    package static let numberMaximum: Int32 = 999_999_999

    private init(_ numbers: [Int32], build: Int32?, kind: VersionKind) {
        (self.numbers, self.build, self.kind) = (numbers, build, kind)
    }

    /// Reads `3.2.0`, on Apple's platforms also `3.2.0-15`, and on Android `320`.
    package init?(written text: String, on platform: Platform) {
        switch platform.versionKind {
        case .integer:
            guard text.isPlainNumber, let number = Int32(text) else { return nil }
            self.init([number], build: nil, kind: .integer)
        case .dotted:
            let sides = text.split(separator: "-", omittingEmptySubsequences: false)
            guard sides.count == 1 || sides.count == 2 && platform.offersBuilds else { return nil }
            let parts = sides[0].split(separator: ".", omittingEmptySubsequences: false)
            let numbers = parts.compactMap { Self.number(String($0)) }
            let build = sides.count == 2 ? Self.number(String(sides[1])) : nil
            guard parts.count == 3, numbers.count == 3, sides.count == 1 || build ?? 0 > 0 else {
                return nil
            }
            self.init(numbers, build: build, kind: .dotted)
        }
    }

    /// A level of an API or a release of Java: a whole number.
    package init(level: AndroidVersion) {
        self.init([level.number], build: nil, kind: .integer)
    }

    /// `nil` for a version with a number of ten digits, which clients read differently.
    package init?(_ version: VersionValue) {
        switch version {
        case .integer(let version): self.init(level: version)
        case .dotted(let version):
            guard version.numbers.allSatisfy({ $0 <= Self.numberMaximum }) else { return nil }
            let numbers = version.numbers + Array(repeating: 0, count: 3 - version.numbers.count)
            self.init(numbers, build: nil, kind: .dotted)
        }
    }

    /// What no installed version is older than.
    package static func nothing(on platform: Platform) -> OfferVersion {
        switch platform.versionKind {
        case .dotted: OfferVersion([0, 0, 0], build: nil, kind: .dotted)
        case .integer: OfferVersion([0], build: nil, kind: .integer)
        }
    }

    package var isNothing: Bool { build == nil && numbers.allSatisfy { $0 == 0 } }

    /// Whether an app or a system of that version lies below it; never for versions of two kinds.
    func isNewer(than installed: VersionValue, build: Int32 = 0) -> Bool {
        switch installed {
        case .dotted(let version):
            kind == .dotted && precedes(version.numbers, build, numbers, self.build ?? 0)
        case .integer(let version):
            kind == .integer && precedes([version.number], build, numbers, self.build ?? 0)
        }
    }

    package var withoutBuild: OfferVersion { OfferVersion(numbers, build: nil, kind: kind) }

    /// The first version without a build that is not below it.
    var pastBuild: OfferVersion {
        guard build != nil, let last = numbers.last else { return self }
        return OfferVersion(numbers.dropLast() + [last + 1], build: nil, kind: kind)
    }

    /// The version code or level, where it is one.
    package var number: Int32? { kind == .integer ? numbers[0] : nil }

    private static func number(_ text: String) -> Int32? {
        guard text.isPlainNumber, let number = Int32(text), number <= numberMaximum else {
            return nil
        }
        return number
    }

    package static func grammar(on platform: Platform) -> String {
        switch platform {
        case .android: "a whole number from 0 to 2147483647"
        case .jvm: "three whole numbers between dots, of at most nine digits, such as 3.2.0"
        case .ios, .macos:
            "three whole numbers between dots, of at most nine digits, such as 3.2.0, and a build"
                + " where one is meant, such as 3.2.0-15"
        }
    }
}

extension VersionValue {
    /// The version without its build; `nil` for a version code of 0, which is none.
    init?(_ version: OfferVersion) {
        switch version.number {
        case let number?:
            guard let level = AndroidVersion(Int64(number)) else { return nil }
            self = .integer(level)
        case nil:
            guard let dotted = AppleVersion(version.withoutBuild.description) else { return nil }
            self = .dotted(dotted)
        }
    }
}

extension OfferVersion: Comparable {
    package static func < (left: OfferVersion, right: OfferVersion) -> Bool {
        precondition(left.kind == right.kind, "versions of two kinds have no order")
        return precedes(left.numbers, left.build ?? 0, right.numbers, right.build ?? 0)
    }
}

/// Whether the left numbers, and then the left build, are the lower; a number not written counts
/// as 0.
private func precedes(
    _ left: [Int32],
    _ leftBuild: Int32,
    _ right: [Int32],
    _ rightBuild: Int32
) -> Bool {
    for place in 0..<max(left.count, right.count) {
        let leftNumber = place < left.count ? left[place] : 0
        let rightNumber = place < right.count ? right[place] : 0
        guard leftNumber == rightNumber else { return leftNumber < rightNumber }
    }
    return leftBuild < rightBuild
}

extension OfferVersion: CustomStringConvertible {
    package var description: String {
        numbers.map(String.init).joined(separator: ".") + (build.map { "-\($0)" } ?? "")
    }
}

extension Platform {
    /// Whether clients compare a build after the version.
    package var offersBuilds: Bool {
        switch self {
        case .ios, .macos: true
        case .android, .jvm: false
        }
    }

    /// How the version of the system is written that an offer requires.
    package var systemKind: VersionKind {
        switch self {
        case .ios, .macos: .dotted
        case .android, .jvm: .integer
        }
    }
}

extension String {
    /// Digits without a zero in front.
    fileprivate var isPlainNumber: Bool {
        (1...10).contains(utf8.count) && utf8.allSatisfy(isDigit)
            && (utf8.count == 1 || first != "0")
    }
}
