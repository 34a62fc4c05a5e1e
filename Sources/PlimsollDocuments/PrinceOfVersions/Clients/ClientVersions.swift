/// A version as the native libraries for Apple's platforms understand it.
///
/// They take what they can: the number before the first dot has to be one, and whatever else is
/// missing or no number counts as 0.
struct AppleClientVersion: Hashable, Comparable, Sendable {
    let major: Int64
    let minor: Int64
    let patch: Int64
    let build: Int64

    init?(_ text: String) {
        let sides = text.split(separator: "-", omittingEmptySubsequences: false)
        let numbers = sides[0].split(separator: ".", omittingEmptySubsequences: false)
            .map { Int64($0) }
        guard let major = numbers[0] else { return nil }
        self.major = major
        minor = numbers.count > 1 ? numbers[1] ?? 0 : 0
        patch = numbers.count > 2 ? numbers[2] ?? 0 : 0
        build = sides.count > 1 ? Int64(sides[1]) ?? 0 : 0
    }

    /// How it is written in results, and under which name it is remembered.
    var text: String { "\(major).\(minor).\(patch)-\(build)" }

    static func < (left: AppleClientVersion, right: AppleClientVersion) -> Bool {
        (left.major, left.minor, left.patch, left.build)
            < (right.major, right.minor, right.patch, right.build)
    }
}

/// A version as the Kotlin library for iOS reads it: `4`, `4.1`, `4.1.2`, each with a build or not.
struct KotlinAppleVersion: Comparable, Sendable {
    private let numbers: [Int32]

    enum Fault: Error {
        case malformed
        case tooLarge
    }

    init(_ text: String) throws(Fault) {
        let form = /([0-9]+)(?:\.([0-9]+))?(?:\.([0-9]+))?(?:-([0-9]+))?/
        guard let match = text.trimmedOfBlanks.wholeMatch(of: form) else { throw .malformed }
        var numbers: [Int32] = []
        for part in [match.1, match.2 ?? "0", match.3 ?? "0", match.4 ?? "0"] {
            guard let number = Int32(part) else { throw .tooLarge }
            numbers.append(number)
        }
        self.numbers = numbers
    }

    static func < (left: KotlinAppleVersion, right: KotlinAppleVersion) -> Bool {
        left.numbers.lexicographicallyPrecedes(right.numbers)
    }
}

/// A version as the Kotlin library for the JVM reads it: any count of whole numbers between dots.
struct KotlinDottedVersion: Comparable, Sendable {
    private let numbers: [Int64]

    init?(_ text: String) {
        var numbers: [Int64] = []
        for part in text.trimmedOfBlanks.split(separator: ".", omittingEmptySubsequences: false) {
            guard let number = Int64(part.withPlainDigits) else { return nil }
            numbers.append(number)
        }
        while numbers.last == 0 { numbers.removeLast() }
        self.numbers = numbers
    }

    static func < (left: KotlinDottedVersion, right: KotlinDottedVersion) -> Bool {
        let count = max(left.numbers.count, right.numbers.count)
        let (first, second) = (left.filled(to: count), right.filled(to: count))
        return first.lexicographicallyPrecedes(second)
    }

    private func filled(to count: Int) -> [Int64] {
        numbers + Array(repeating: 0, count: count - numbers.count)
    }
}

/// A version of Semantic Versioning 2, which the library for Android before 4.0 demands.
struct SemanticVersion: Comparable, Sendable {
    private let core: [Int64]
    private let preRelease: [Substring]

    init?(_ text: String) {
        let form =
            /(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(?:-([0-9A-Za-z.\-]+))?(?:\+[0-9A-Za-z.\-]+)?/
        guard let match = text.wholeMatch(of: form) else { return nil }
        core = [match.1, match.2, match.3].compactMap { Int64($0) }
        preRelease = match.4?.split(separator: ".", omittingEmptySubsequences: false) ?? []
        guard core.count == 3, preRelease.allSatisfy({ $0.isIdentifier }) else { return nil }
    }

    /// A version that is about to be released comes before the released one.
    static func < (left: SemanticVersion, right: SemanticVersion) -> Bool {
        if left.core != right.core { return left.core.lexicographicallyPrecedes(right.core) }
        if left.preRelease.isEmpty || right.preRelease.isEmpty {
            return !left.preRelease.isEmpty && right.preRelease.isEmpty
        }
        return left.preRelease.lexicographicallyPrecedes(right.preRelease) { $0.precedes($1) }
    }

    static func == (left: SemanticVersion, right: SemanticVersion) -> Bool {
        left.core == right.core && left.preRelease == right.preRelease
    }
}

extension Substring {
    fileprivate var isIdentifier: Bool {
        guard !isEmpty else { return false }
        return !isNumber || self == "0" || first != "0"
    }

    private var isNumber: Bool { utf8.allSatisfy { (0x30...0x39).contains($0) } }

    /// Numbers by size and before words; words by their bytes.
    fileprivate func precedes(_ other: Substring) -> Bool {
        switch (isNumber, other.isNumber) {
        case (true, true):
            utf8.count == other.utf8.count ? self < other : utf8.count < other.utf8.count
        case (true, false): true
        case (false, true): false
        case (false, false): utf8.lexicographicallyPrecedes(other.utf8)
        }
    }
}

extension Substring {
    /// Digits of full width are digits to the JVM.
    fileprivate var withPlainDigits: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.map { scalar in
                    (0xFF10...0xFF19).contains(scalar.value)
                        ? Unicode.Scalar(UInt8(scalar.value - 0xFF10 + 0x30)) : scalar
                }
            )
        )
    }
}

extension String {
    var trimmedOfBlanks: String {
        let tail = drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }
        return String(tail.reversed())
    }
}
