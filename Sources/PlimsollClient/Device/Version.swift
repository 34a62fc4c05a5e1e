public import Foundation

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

/// What a decision is about: this app, in this version, on this system.
public struct Device: Hashable, Sendable {
    /// The platform whose document counts.
    public let platform: Platform
    /// The version of the operating system; on Android the API level.
    public let os: Version
    /// The version of the app; on Android the version code.
    public let app: Version

    /// `nil` unless both versions are written as the platform does.
    public init?(platform: Platform, os: Version, app: Version) {
        guard [os, app].allSatisfy({ $0.isDotted == (platform != .android) }) else { return nil }
        self.platform = platform
        self.os = os
        self.app = app
    }

    /// The app that a bundle is of, on the system it runs on; for Apple's platforms.
    ///
    /// The app's version is its `CFBundleShortVersionString`. `nil` where it is missing or no
    /// version: then nobody can say whether the app is too old, and it should simply run.
    public static func running(_ platform: Platform, in bundle: Bundle = .main) -> Device? {
        running(platform, written: bundle.infoDictionary?["CFBundleShortVersionString"] as? String)
    }

    static func running(_ platform: Platform, written: String?) -> Device? {
        let system = ProcessInfo.processInfo.operatingSystemVersion
        guard
            let app = written.flatMap({ Version($0) }),
            let os = Version(
                "\(system.majorVersion).\(system.minorVersion).\(system.patchVersion)"
            )
        else { return nil }
        return Device(platform: platform, os: os, app: app)
    }
}

/// The platforms that a document can be published for.
///
/// The raw value is how addresses and documents write it.
public enum Platform: String, Hashable, Sendable, CaseIterable {
    /// iOS and iPadOS: versions such as `3.2.0`.
    case ios
    /// macOS: versions such as `3.2.0`.
    case macos
    /// Android: API levels and version codes, which are whole numbers.
    case android

    /// The thresholds a document for this platform can have, in the order of their precedence
    /// in the document, not in a decision.
    public var thresholds: [ThresholdName] {
        switch self {
        case .ios, .macos: [.minimumOS, .recommendedOS, .minimumApp, .recommendedApp]
        case .android: [.minimumOS, .minimumApp, .recommendedApp]
        }
    }
}
