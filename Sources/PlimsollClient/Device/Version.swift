/// A version of an app or of an operating system.
///
/// On Apple's platforms it is one to three whole numbers between dots; on Android it is a single
/// whole number. Numbers compare as numbers and a missing one counts as 0, so `6.00` is as old as
/// `6`, and `6.5.9` is older than `6.5.10`. Equal are two versions that are *written* alike.
public struct Version: Hashable, Sendable {
    /// As it was written.
    public let text: String
    private let numbers: [Int32]
    let isDotted: Bool

    /// Reads a version of an Apple platform.
    ///
    /// `nil` for anything but one to three whole numbers up to 2 147 483 647 between dots:
    /// `3.2.0-beta` is none, nor is `v3.2`.
    public init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count) else { return nil }
        var numbers: [Int32] = []
        for part in parts {
            guard
                (1...10).contains(part.count), part.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = Int32(Substring(part))
            else { return nil }
            numbers.append(number)
        }
        self.text = text
        self.numbers = numbers
        isDotted = true
    }

    /// A version code or an API level of Android; `nil` below 1 and above 2 147 483 647.
    public init?(code: Int) {
        guard code >= 1, let number = Int32(exactly: code) else { return nil }
        text = String(number)
        numbers = [number]
        isDotted = false
    }

    /// Whether whoever has this version lies below the other; never for versions of two kinds.
    public func isOlder(than other: Version) -> Bool {
        guard isDotted == other.isDotted else { return false }
        for place in 0..<max(numbers.count, other.numbers.count) {
            let (one, two) = (number(at: place), other.number(at: place))
            guard one == two else { return one < two }
        }
        return false
    }

    private func number(at place: Int) -> Int32 {
        place < numbers.count ? numbers[place] : 0
    }
}

extension Version: CustomStringConvertible {
    /// The text as it was written.
    public var description: String { text }
}
