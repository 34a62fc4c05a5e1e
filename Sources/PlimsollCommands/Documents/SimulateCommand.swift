import ArgumentParser
import PlimsollAPI
import PlimsollAdmin
import PlimsollDocuments
import PlimsollDomain
import PlimsollJSON

/// `plimsoll simulate`: what a device would show.
struct SimulateCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Show what a device makes of a document.",
        discussion: """
            It decides as the shipped apps do. With --document no service is needed. With --client it \
            decides as a release of the Prince of Versions libraries does, errors included, for which \
            the document has to be in a file. With --matrix it shows what every known release does \
            on every system where a line is drawn, and with --change what a change moves in it.

            Examples:
              plimsoll simulate --matrix --platform ios --change 17
              plimsoll simulate --platform ios --os 15.4 --app-version 3.7.0 --lang de-DE
              plimsoll simulate --platform android --os 29 --app-version 340 --store 347 --event 42
              plimsoll simulate --platform ios --os 15.4 --app-version 3.7 --document draft.json
              plimsoll simulate --client ios-4.0.8 --os 15.4 --app-version 3.7.0 --build 12 \\
                --document prince-of-versions.json --times 2
            """
    )

    @Option(help: "What the device runs; not with --client.")
    var platform: Platform?
    @Option(help: "The Prince of Versions library in the app.")
    var client: PrinceClient?
    @Option(help: "The version of its system; on Android the API level, on the JVM its release.")
    var os: String?
    @Option(help: "The version of the app on it; on Android the version code.")
    var appVersion: String?
    @OptionGroup var matrix: MatrixOptions
    @Option(help: "The version that the store offers; without it, none is known to be there.")
    var store: String?
    @Option(help: "The language that the device is set to.")
    var lang: LanguageTag?
    @Option(help: ArgumentHelp("A document in a file instead of a service's.", valueName: "file"))
    var document: String?
    @OptionGroup var prince: PrinceOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var app: AppOption
    @OptionGroup var moment: MomentOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if document != nil, app.app != nil || !moment.isLive {
            throw ValidationError("--document leaves no room for --app, --at and --event.")
        }
        guard !matrix.matrix else { return try refuseOneDevice() }
        guard matrix.change == nil else {
            throw ValidationError("--change needs --matrix; one device is compared by two calls.")
        }
        guard os != nil, appVersion != nil else {
            throw ValidationError("--os and --app-version are needed, unless --matrix is given.")
        }
        switch (client, platform) {
        case (nil, nil): throw ValidationError("Either --platform or --client is needed.")
        case (_?, _?): throw ValidationError("--client says the platform; leave out --platform.")
        case (_?, nil):
            guard document != nil else {
                throw ValidationError("--client needs --document and the file to look at.")
            }
            if store != nil || lang != nil {
                throw ValidationError("--client knows neither --store nor --lang.")
            }
        case (nil, _?): try prince.refuse()
        }
    }

    private func refuseOneDevice() throws {
        guard let platform else { throw ValidationError("--matrix needs --platform.") }
        guard !platform.thresholds.isEmpty else {
            throw ValidationError(
                "--matrix says what thresholds do, and \(platform.name) has none."
            )
        }
        let device = [os, appVersion, store, document, lang?.text, client?.rawValue]
        guard device.allSatisfy({ $0 == nil }) else {
            throw ValidationError("--matrix is of all devices; leave out what describes one.")
        }
        try prince.refuse()
    }

    func execute(_ output: Output) async throws -> ExitStatus {
        if matrix.matrix, let platform {
            let answer = try await service.withClient { client in
                let app = try await app.slug(client)
                return try await matrix.answer(client, app, platform, moment)
            }
            output.show(answer.report)
            return .done
        }
        guard let os, let appVersion else { return .usage }
        if let client, let document {
            let device = try prince.device(client, appVersion: appVersion, os: os)
            output.show(try prince.report(on: contents(of: document), client, device))
        } else if let platform {
            let device = try device(platform, os, appVersion)
            output.show(report(try await source(platform).decision(on: device)))
        }
        return .done
    }

    private func source(_ platform: Platform) async throws -> Document {
        if let document { return try DocumentFile(document, platform: platform).document }
        return try await service.withClient { client in
            let app = try await app.resolve(client)
            return try await client.document(of: app.slug, on: platform, at: moment.moment)
                .parsed()
        }
    }

    private func device(
        _ platform: Platform,
        _ os: String,
        _ appVersion: String
    ) throws -> Device {
        guard let english = lang ?? LanguageTag("en") else {
            preconditionFailure("en is a language tag")
        }
        let device = Device(
            platform: platform,
            os: try version(os, "--os", platform.versionKind, platform),
            app: try version(appVersion, "--app-version", platform.versionKind, platform),
            store: try store.map { try version($0, "--store", platform.versionKind, platform) },
            language: english
        )
        guard let device else { preconditionFailure("all versions were read for the platform") }
        return device
    }

    private func report(_ outcome: DeviceOutcome) -> Report {
        let json: JSONObject = [
            "verdict": .string(outcome.verdict.rawValue), "runs": .bool(outcome.verdict.runs),
            "title": JSONValue(outcome.title), "description": JSONValue(outcome.description),
            "because": .string(outcome.because),
        ]
        let words = [outcome.title.map { ("title", $0) }, outcome.description.map { ("text", $0) }]
            .compactMap { $0 }
            .map { name, text in
                Report.Block.line("\(name): \(text.isEmpty ? "(empty)" : text.legibleLines)")
            }
        let sentence = "\(outcome.verdict.sentence), because \(outcome.because)."
        return Report(json, [.line(sentence)] + words)
    }
}

extension String {
    /// Several lines made harmless, each by itself.
    fileprivate var legibleLines: String {
        split(separator: "\n", omittingEmptySubsequences: false).map(legible)
            .joined(separator: "\n      ")
    }
}

extension DeviceVerdict {
    var sentence: String {
        switch self {
        case .available: "The app runs"
        case .osRecommended: "The app runs and recommends a newer system"
        case .appRecommended: "The app runs and recommends an update"
        case .appTooOldUpdateAvailable: "The app does not run and offers the update"
        case .appTooOld: "The app does not run, and no update for it is known"
        case .osTooOld: "The app does not run on this system"
        }
    }
}
