import ArgumentParser
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// `plimsoll block`: a broken version does not run any more, at once and by one person.
struct BlockCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "block",
        abstract: "Stop all app versions below a given one from running, at once (kill switch).",
        discussion: """
            It raises the minimum of the app as an emergency, shows the effect and asks. Texts \
            that are there stay unless --text or --file says others; missing ones are taken from \
            the app's other texts. Offers of the platform's own for Prince of Versions ask for no \
            less then. Somebody else reviews it afterwards: plimsoll reviews.

            Examples:
              plimsoll block ios --below 3.2.0 --reason "3.1 loses bookings"
              plimsoll block android --below 310 --reason "Crash" --incident INC-731 \\
                --yes --wait
              plimsoll block ios --below 3.2.0 --reason "Crash" \\
                --text description.en-GB="An update is on its way." --text description.cy=@cy.txt
              plimsoll block ios --below 3.2.0 --reason "Drill" --dry-run
            """
    )

    @Argument(help: "The platform.")
    var platform: Platform
    @Option(help: ArgumentHelp("The oldest version that still runs.", valueName: "version"))
    var below: String
    @OptionGroup var words: BlockTextOptions
    @OptionGroup var emergency: UnnumberedEmergencyOptions
    @OptionGroup var run: EmergencyRun
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let (version, reason) = (try version(), try emergency.words())
        let texts = try words.texts(on: platform)
        let incident = try emergency.reference()
        let edge = try run.check()
        let receipt = try await run.service.withClient { client in
            let slug = try await run.app.slug(client)
            let form = BlockForm(
                platform: platform,
                below: version,
                texts: texts,
                reason: reason,
                incident: incident,
                owner: try await emergency.principal(client)
            )
            return try await run.receipt(
                asking:
                    "Keep versions below \(version) of \(slug) on \(platform.name) from running?",
                inStead: "plimsoll propose --app \(slug) --platform \(platform.rawValue)"
                    + " --set minimumApp.value=\(version) --title \"Block versions below \(version)\""
                    + " --reason \"…\"",
                client,
                output
            ) { options async throws(AdminError) in
                try await client.block(slug, form, options)
            }
        }
        return try await run.finish(receipt, edge, output)
    }

    private func version() throws -> VersionValue {
        let kind = platform.versionKind
        guard let version = VersionValue(written: below, kind) else {
            throw ValidationError(
                "--below is \"\(excerpt(below))\"; on \(platform.name) it needs to be"
                    + " \(kind.grammar)."
            )
        }
        return version
    }
}

/// What people below the version read, in some languages.
struct BlockTextOptions: ParsableArguments {
    @Option(
        name: .customLong("text"),
        parsing: .singleValue,
        help: ArgumentHelp(
            "A text for people below it, from a file with =@file; may be repeated.",
            valueName: "description.language=text"
        )
    )
    var texts: [String] = []
    @Option(
        help: ArgumentHelp(
            "Such texts as JSON: {\"description\": {\"en-GB\": \"…\"}}.",
            valueName: "path"
        )
    )
    var file: String?

    /// Those of the file, and in their places those of the command line.
    func texts(on platform: Platform) throws -> TextsByLanguage {
        var read = try file.map(fileTexts) ?? [:]
        var seen: Set<Field> = []
        for operation in try operations(on: platform) {
            guard operation.platform == platform, operation.threshold == .minimumApp,
                case .setText(let part, let language, let text) = operation.edit,
                let field = operation.field
            else {
                throw ValidationError(
                    "A block writes texts of \(platform.rawValue).minimumApp alone: --text"
                        + " description.en-GB=…"
                )
            }
            guard seen.insert(field).inserted else {
                throw ValidationError("--text says \(part.rawValue).\(language) twice.")
            }
            read[part, default: [:]][language] = text
        }
        return read
    }

    private func operations(on platform: Platform) throws -> [Operation] {
        let paths = texts.map { path in
            TextPart.allCases.contains { path.hasPrefix($0.rawValue + ".") }
                ? "minimumApp.\(path)" : path
        }
        return try EditArguments(texts: paths).operations(on: platform) { try contents(of: $0) }
    }

    private func fileTexts(_ path: String) throws -> TextsByLanguage {
        do {
            var reader = try ObjectReader(parsing: try contents(of: path))
            let texts = ObjectReader.texts(&reader)
            return try reader.finish { texts }
        } catch let issues as JSONIssues {
            throw Failure(.failed, "\(path) holds no texts by language.", checks: issues.checks)
        }
    }
}
