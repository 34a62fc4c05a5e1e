package import PlimsollDomain

/// A generation of the Prince of Versions libraries, as an app has it built in.
package enum PrinceClient: String, CaseIterable, Sendable {
    case ios400 = "ios-4.0.0"
    case ios401 = "ios-4.0.1"
    case ios402 = "ios-4.0.2"
    case ios403 = "ios-4.0.3"
    case ios404 = "ios-4.0.4"
    case ios405 = "ios-4.0.5"
    case ios406 = "ios-4.0.6"
    case ios407 = "ios-4.0.7"
    case ios408 = "ios-4.0.8"
    case macos400 = "macos-4.0.0"
    case macos401 = "macos-4.0.1"
    case macos402 = "macos-4.0.2"
    case macos403 = "macos-4.0.3"
    case macos404 = "macos-4.0.4"
    case macos405 = "macos-4.0.5"
    case macos406 = "macos-4.0.6"
    case macos407 = "macos-4.0.7"
    case macos408 = "macos-4.0.8"
    case ios300 = "ios-3.0.0"
    case macos300 = "macos-3.0.0"
    case android404 = "android-4.0.4"
    case android300 = "android-3.0.0"
    case kotlinIOS = "kmp-ios"
    case kotlinAndroid = "kmp-android"
    case jvm

    /// What the client makes of a document, and what it remembers of that for the next time.
    ///
    /// Errors are outcomes like others: which one it is decides what an app does.
    package func check(
        _ document: [UInt8],
        on device: PrinceDevice,
        remembering memory: inout PrinceMemory
    ) -> PrinceOutcome {
        do throws(PrinceFailure) {
            switch self {
            case .ios400, .ios401, .ios402, .ios403, .ios404, .ios405, .ios406, .ios407, .ios408,
                .macos400, .macos401, .macos402, .macos403, .macos404, .macos405, .macos406,
                .macos407, .macos408:
                return try AppleFour(platform.rawValue, release).check(document, device, &memory)
            case .ios300, .macos300:
                return try AppleThree(platform.rawValue).check(document, device, &memory)
            case .android404: return try AndroidFour().check(document, device, &memory)
            case .android300: return try AndroidThree().check(document, device, &memory)
            case .kotlinIOS: return try KotlinIOS().check(document, device, &memory)
            case .kotlinAndroid: return try KotlinAndroid().check(document, device, &memory)
            case .jvm: return try KotlinJVM().check(document, device, &memory)
            }
        } catch {
            return .failed(error)
        }
    }

    package var platform: Platform {
        switch self {
        case .ios400, .ios401, .ios402, .ios403, .ios404, .ios405, .ios406, .ios407, .ios408,
            .ios300, .kotlinIOS:
            .ios
        case .macos400, .macos401, .macos402, .macos403, .macos404, .macos405, .macos406,
            .macos407, .macos408, .macos300:
            .macos
        case .android404, .android300, .kotlinAndroid: .android
        case .jvm: .jvm
        }
    }

    private var release: AppleRelease {
        switch self {
        case .ios400, .macos400: .release400
        case .ios401, .macos401: .release401
        case .ios408, .macos408: .release408
        default: .release402
        }
    }

    /// How the versions of its app and its system are written.
    package var installation: Installation {
        switch self {
        case .android404, .kotlinAndroid: .code
        case .android300: .semantic
        case .jvm: .java
        default: .apple
        }
    }

    /// The forms that the versions of an installation have.
    package enum Installation: Sendable {
        /// Any version text with a build, and a dotted version of the system.
        case apple
        /// A version code, and an API level.
        case code
        /// A version name, and an API level.
        case semantic
        /// Any version text, and a feature release of Java.
        case java
    }
}

/// What a client knows about the app it is part of and the device it runs on.
package struct PrinceDevice: Equatable, Sendable {
    /// What the store calls the version: `CFBundleShortVersionString`, `versionCode`,
    /// `versionName`.
    package let appVersion: String
    /// `CFBundleVersion`, on Apple's platforms alone.
    package let build: String
    /// A version of iOS or macOS, an API level, or a feature release of Java.
    package let os: String
    /// Which value the app's checker of a requirement accepts, by the name it is registered under.
    package let requirements: [String: String]

    package init(
        appVersion: String,
        build: String = "0",
        os: String,
        requirements: [String: String] = [:]
    ) {
        self.appVersion = appVersion
        self.build = build
        self.os = os
        self.requirements = requirements
    }

    var appleVersion: AppleClientVersion? { AppleClientVersion("\(appVersion)-\(build)") }

    /// The API level or Java release.
    var level: Int32? { Int32(os) }

    func accepts(_ value: String, of requirement: String) -> Bool {
        requirements[requirement] == value
    }
}

/// What a client has stored about earlier notifications.
package struct PrinceMemory: Equatable, Sendable {
    /// The native libraries for Apple's platforms keep a flag for each version.
    var notified: Set<String> = []
    /// All others keep the last version alone.
    var last: String?

    package init() {}
}
