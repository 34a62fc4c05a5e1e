import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// Which release is meant.
struct ReleaseArguments: ParsableArguments {
    @Argument(help: "The platform.")
    var platform: Platform
    @Argument(
        help: ArgumentHelp(
            "As its store writes it; on Android the version code.",
            valueName: "version"
        )
    )
    private var written: String
    @OptionGroup var app: AppOption

    func validate() throws { _ = try version() }

    func version() throws -> VersionValue {
        try PlimsollCommands.version(written, "The version", platform.versionKind, platform)
    }
}

/// What is known of a release.
struct ReleaseFactOptions: ParsableArguments {
    @Option(help: "On Android the version that people read, such as 3.2.0.")
    private var name: String?
    @Option(help: "The build number or name.")
    private var build: String?
    @Option(help: "The oldest system that it runs on; on Android the API level.")
    private var os: String?
    @Option(help: "The name of the store.")
    private var store: String?
    @Option(
        help: ArgumentHelp(
            "Since when the store has it, such as 2h (ago), today or 2026-11-21T08:00:00Z.",
            valueName: "time"
        ),
        transform: pastMoment
    )
    private var liveSince: Instant?

    func facts(on platform: Platform) throws -> ReleaseFacts {
        ReleaseFacts(
            name: try name.map(versionName),
            build: try build.map { try label($0, "--build") },
            system: try os.map {
                try PlimsollCommands.version($0, "--os", platform.systemKind, platform)
            },
            store: try store.map { try label($0, "--store") },
            liveSince: liveSince
        )
    }

    private func versionName(_ text: String) throws -> VersionName {
        guard let name = VersionName(text) else {
            throw ValidationError(
                "--name is \"\(excerpt(text))\"; it needs to be \(VersionName.grammar)."
            )
        }
        return name
    }

    private func label(_ text: String, _ option: String) throws -> Label {
        do throws(TextFault) {
            return try Label(validating: text)
        } catch {
            throw ValidationError("\(option): \(error.sentence)")
        }
    }
}

extension ReleaseFactName: ExpressibleByArgument {}

/// A version as the platform writes it.
func version(
    _ text: String,
    _ name: String,
    _ kind: VersionKind,
    _ platform: Platform
) throws -> VersionValue {
    guard let version = VersionValue(written: text, kind) else {
        throw ValidationError(
            "\(name) is \"\(excerpt(text))\"; on \(platform.name) it needs to be \(kind.grammar)."
        )
    }
    return version
}
