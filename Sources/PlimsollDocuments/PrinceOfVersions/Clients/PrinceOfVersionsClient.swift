package import PlimsollDomain
package import PlimsollJSON

/// A generation of the Prince of Versions libraries, as an app has it built in.
package enum PrinceOfVersionsClient: String, CaseIterable, Sendable {
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
        on device: PrinceOfVersionsDevice,
        remembering memory: inout PrinceOfVersionsMemory
    ) -> PrinceOfVersionsOutcome {
        do throws(PrinceOfVersionsFailure) {
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
package struct PrinceOfVersionsDevice: Equatable, Sendable {
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
package struct PrinceOfVersionsMemory: Equatable, Sendable {
    /// The native libraries for Apple's platforms keep a flag for each version.
    var notified: Set<String> = []
    /// All others keep the last version alone.
    var last: String?

    package init() {}
}

/// What a client tells its app.
package enum PrinceOfVersionsOutcome: Equatable, Sendable {
    case answered(PrinceOfVersionsUpdate)
    case failed(PrinceOfVersionsFailure)

    package var status: PrinceOfVersionsStatus {
        switch self {
        case .answered(let answer): answer.status
        case .failed: .error
        }
    }
}

/// What becomes of the device, in the words of the format.
package enum PrinceOfVersionsStatus: String, CaseIterable, Sendable {
    case requiredUpdateNeeded = "REQUIRED_UPDATE_NEEDED"
    case newUpdateAvailable = "NEW_UPDATE_AVAILABLE"
    case noUpdateAvailable = "NO_UPDATE_AVAILABLE"
    case error = "ERROR"
}

/// What an app is given where nothing went wrong.
package struct PrinceOfVersionsUpdate: Equatable, Sendable {
    package let status: PrinceOfVersionsStatus
    /// The client's own idea of where an update leads; it differs between the platforms.
    package let updateVersion: String
    /// The metadata of the document, and over it those of the selected entry; `nil` where the
    /// client hands on none.
    package let meta: JSONObject?
    /// Which entry was selected; `nil` in the format before 4.0, which has none.
    package var entry: Int?
    /// Told beside the status by the libraries before 4.0 for Apple's platforms alone.
    package var isMinimumSatisfied: Bool?
}

/// An error by the name that the client gives it.
package struct PrinceOfVersionsFailure: Error, Equatable, Sendable {
    package let name: String
    /// What an error about requirements carries: the metadata of the document alone.
    package let meta: JSONObject?

    init(_ name: String, meta: JSONObject? = nil) {
        self.name = name
        self.meta = meta
    }
}

extension PrinceOfVersionsOutcome {
    package var json: JSONObject {
        var json: JSONObject = ["status": .string(status.rawValue)]
        switch self {
        case .answered(let answer):
            json["updateVersion"] = .string(answer.updateVersion)
            json["entry"] = answer.entry.map { .integer(Int64($0)) }
            json["meta"] = answer.meta.map(JSONValue.object)
            json["minimumSatisfied"] = answer.isMinimumSatisfied.map(JSONValue.bool)
        case .failed(let failure):
            json["error"] = .string(failure.name)
            json["meta"] = failure.meta.map(JSONValue.object)
        }
        return json
    }
}

/// A version with how it was written, which is what is remembered of it.
struct WrittenVersion<Value: Comparable> {
    let text: String
    let value: Value
}

/// The versions of the selected entry, decided upon as the libraries for Android and in Kotlin do.
struct RememberedDecision<Value: Comparable> {
    let required: WrittenVersion<Value>?
    let last: WrittenVersion<Value>?
    let installed: WrittenVersion<Value>
    let isAlways: Bool

    /// One version is remembered: the one that was told of last, a required one too.
    func answer(
        _ meta: JSONObject,
        entry: Int?,
        _ memory: inout PrinceOfVersionsMemory
    ) throws(PrinceOfVersionsFailure) -> PrinceOfVersionsOutcome {
        guard required != nil || last != nil else {
            throw PrinceOfVersionsFailure("IllegalStateException")
        }
        let (status, version) = decide(memory)
        if status != .noUpdateAvailable { memory.last = version.text }
        return .answered(
            PrinceOfVersionsUpdate(
                status: status,
                updateVersion: version.text,
                meta: meta,
                entry: entry
            )
        )
    }

    private func decide(
        _ memory: PrinceOfVersionsMemory
    ) -> (PrinceOfVersionsStatus, WrittenVersion<Value>) {
        if let required, installed.value < required.value {
            let offered = last.flatMap { $0.value > required.value ? $0 : nil } ?? required
            return (.requiredUpdateNeeded, offered)
        }
        guard let last, installed.value < last.value else { return (.noUpdateAvailable, installed) }
        let mayNotify = isAlways || memory.last != last.text
        return (mayNotify ? .newUpdateAvailable : .noUpdateAvailable, last)
    }
}

/// Versions as a document has them, which are read only once it is clear that there is one.
struct WrittenVersions {
    private let required: String?
    private let last: String?

    init(required: String?, last: String?) throws(PrinceOfVersionsFailure) {
        guard required != nil || last != nil else {
            throw PrinceOfVersionsFailure("IllegalStateException")
        }
        (self.required, self.last) = (required, last)
    }

    func decision<Value>(
        installed: String,
        isAlways: Bool,
        _ read: (String) throws(PrinceOfVersionsFailure) -> Value
    ) throws(PrinceOfVersionsFailure) -> RememberedDecision<Value> {
        func version(_ text: String) throws(PrinceOfVersionsFailure) -> WrittenVersion<Value> {
            WrittenVersion(text: text, value: try read(text))
        }
        return RememberedDecision(
            required: try required.map(version),
            last: try last.map(version),
            installed: try version(installed),
            isAlways: isAlways
        )
    }
}

/// What a client's JSON reader forgives that the format does not.
struct ClientDialect: Sendable {
    /// Which member counts where a name stands twice.
    enum Duplicates: Sendable {
        case first
        case last
        case refused
    }

    /// What a comma before a closing bracket means.
    enum TrailingComma: Sendable {
        case nothing
        /// One more element, which is null.
        case null
        case refused
    }

    let duplicates: Duplicates
    let commaInArray: TrailingComma
    let commaInObject: TrailingComma
    let forgivesByteOrderMark: Bool
    /// Whether what follows the first value is not looked at.
    let forgivesRest: Bool
    /// Whether bytes that are not UTF-8 become replacement characters instead of an error.
    let forgivesEncoding: Bool

    /// Foundation, as the native libraries for Apple's platforms were observed to read.
    static let foundation = ClientDialect(
        duplicates: .first,
        commaInArray: .nothing,
        commaInObject: .nothing,
        forgivesByteOrderMark: true,
        forgivesRest: false,
        forgivesEncoding: false
    )

    /// The `org.json` that is part of Android.
    static let android = ClientDialect(
        duplicates: .last,
        commaInArray: .null,
        commaInObject: .refused,
        forgivesByteOrderMark: true,
        forgivesRest: true,
        forgivesEncoding: true
    )

    /// The `org.json` from Maven Central, which the JVM's library brings along.
    static let jvm = ClientDialect(
        duplicates: .refused,
        commaInArray: .nothing,
        commaInObject: .nothing,
        forgivesByteOrderMark: false,
        forgivesRest: true,
        forgivesEncoding: true
    )
}
