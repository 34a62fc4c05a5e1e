public import Foundation

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
