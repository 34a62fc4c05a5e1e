import ArgumentParser
import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import PlimsollJSON

/// `plimsoll simulate`: what a device would show.
struct SimulateCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Show whether a device may run the app, and which text it shows.",
        discussion: """
            It decides as the shipped apps do, and says which rule it was, and what clients of Prince \
            of Versions are told by the offers. With --change and --after-rollback it says what the \
            device would show and be told then, beside now, or --event or --at. With --document no \
            service is needed, and of offers nothing is known. With --client it decides as apps in \
            people's hands do, by their generation, and says where they refuse the document and keep \
            their last one; or as a release of the Prince of Versions libraries does, errors included. With --matrix it shows what \
            every known release does on every system where a line is drawn, and what moves in it, by \
            thresholds and by offers.

            Examples:
              plimsoll simulate --matrix --platform ios --change 17
              plimsoll simulate --platform ios --os 15.4 --app-version 3.7.0 --lang de-DE
              plimsoll simulate --platform ios --os 15.4 --app-version 3.7.0 --change 17
              plimsoll simulate --platform ios --os 15.4 --app-version 3.7 \\
                --after-rollback event:42
              plimsoll simulate --platform android --os 29 --app-version 340 --store 347 \\
                --event 42
              plimsoll simulate --platform ios --os 15.4 --app-version 3.7 \\
                --document draft.json
              plimsoll simulate --matrix --platform jvm --after-rollback event:42
              plimsoll simulate --client plimsoll --platform ios --os 15.4 \\
                --app-version 3.2
              plimsoll simulate --client nhs-ios-3.0 --os 13.5 --app-version 3.2 \\
                --change 17
              plimsoll simulate --client ios-4.0.8 --os 15.4 --app-version 3.7.0 --event 42
              plimsoll simulate --client ios-4.0.8 --os 15.4 --app-version 3.7.0 \\
                --change 17
              plimsoll simulate --client ios-4.0.8 --os 15.4 --app-version 3.7.0 \\
                --build 12 \\
                --document prince-of-versions.json --times 2
            """
    )

    @Option(help: "The platform of the device; with --client, only beside plimsoll.")
    var platform: Platform?
    @Option(
        help: ArgumentHelp(
            "The app on it: nhs-ios-3.0 and the like, plimsoll for those that link our client, or the"
                + " Prince of Versions library in it.",
            valueName: "client"
        )
    )
    var client: SimulatedClient?
    @Option(help: "The version of its system; on Android the API level, on the JVM its release.")
    var os: String?
    @Option(help: "The version of the app on it; on Android the version code.")
    var appVersion: String?
    @OptionGroup var matrix: MatrixOptions
    @OptionGroup var outlook: OutlookOptions
    @Option(help: "The version that the store offers; without it, by the releases that are known.")
    var store: String?
    @Option(
        parsing: .singleValue,
        help: "The language that the device is set to; again for others that its owner reads."
    )
    var lang: [LanguageTag] = []
    @Option(help: ArgumentHelp("A document in a file instead of a service's.", valueName: "file"))
    var document: String?
    @OptionGroup var prince: PrinceOfVersionsOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var app: AppOption
    @OptionGroup var moment: MomentOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if document != nil, app.app != nil || !moment.isLive || outlook.state != nil {
            throw ValidationError(
                "--document leaves no room for --app, --at, --event, --change and --after-rollback."
            )
        }
        guard !matrix.matrix else { return try refuseOneDevice() }
        guard os != nil, appVersion != nil else {
            throw ValidationError("--os and --app-version are needed, unless --matrix is given.")
        }
        switch (client, platform) {
        case (.own?, nil): throw ValidationError("--client plimsoll runs anywhere; add --platform.")
        case (.own?, _?): try prince.refuse()
        case (nil, nil): throw ValidationError("Either --platform or --client is needed.")
        case (_?, _?): throw ValidationError("--client says the platform; leave out --platform.")
        case (.generation?, nil): try prince.refuse()
        case (.prince?, nil):
            if store != nil || !lang.isEmpty {
                throw ValidationError("--client knows neither --store nor --lang.")
            }
        case (nil, _?): try prince.refuse()
        }
    }

    private func refuseOneDevice() throws {
        guard platform != nil else { throw ValidationError("--matrix needs --platform.") }
        let device = [os, appVersion, store, document, lang.first?.text, client?.name]
        guard device.allSatisfy({ $0 == nil }) else {
            throw ValidationError("--matrix is of all devices; leave out what describes one.")
        }
        try prince.refuse()
    }

    func execute(_ output: Output) async throws -> ExitStatus {
        output.show(try await report())
        return .done
    }

    private func report() async throws -> Report {
        if matrix.matrix, let platform {
            return try await fromService { client, app in
                try await client.matrix(
                    of: app,
                    on: platform,
                    from: moment.state,
                    to: outlook.state
                ).report
            }
        }
        guard let os, let appVersion else { throw ValidationError("A device is needed.") }
        switch client {
        case .prince(let client)?: return try await report(of: client, os, appVersion)
        case .generation(let client)?:
            return try await report(of: client.platform, by: client, os, appVersion)
        case .own?, nil:
            guard let platform else { throw ValidationError("A platform is needed.") }
            let own = client == nil ? nil : ClientGeneration.own(on: platform)
            return try await report(of: platform, by: own, os, appVersion)
        }
    }

    private func report(
        of client: PrinceOfVersionsClient,
        _ os: String,
        _ appVersion: String
    ) async throws -> Report {
        let device = try prince.device(client, appVersion: appVersion, os: os)
        guard let state = outlook.state else {
            return try prince.report(on: try await princeDocument(moment.state), client, device)
        }
        return try prince.report(
            on: try await princeDocument(state),
            client,
            device,
            after: (try await princeDocument(moment.state), from: moment.state, to: state)
        )
    }

    private func report(
        of platform: Platform,
        by generation: ClientGeneration?,
        _ os: String,
        _ appVersion: String
    ) async throws -> Report {
        let device = try device(platform, os, appVersion)
        guard let document else {
            return try await fromService { client, app in
                try await client.simulation(
                    of: device,
                    by: generation,
                    in: app,
                    from: moment.state,
                    to: outlook.state
                ).report
            }
        }
        // An app may demand a text that is empty.
        let bytes = try contents(of: document, upTo: Manifest.fileSizeMaximum)
        let file = try DocumentFile(document, bytes, platform: platform, emptyTexts: .dropped)
        let reader = generation ?? .newest(on: platform)
        let shown =
            try reader.map { try file.outcome(on: device, by: $0) }
            ?? file.document.decision(on: device)
        return shown.report.shown(by: reader?.name)
    }

    private func fromService(
        _ question: @Sendable (AdminClient, AppSlug) async throws -> Report
    ) async throws -> Report {
        try await service.withClient { client in
            try await question(client, try await app.slug(client))
        }
    }

    /// What clients of Prince of Versions are told, in a file or by the service.
    private func princeDocument(_ state: StateName) async throws -> [UInt8] {
        if let document { return try contents(of: document, upTo: Manifest.fileSizeMaximum) }
        return try await service.withClient { client in
            let slug = try await app.slug(client)
            return try await client.princeOfVersions(of: slug, in: state).document
                .canonicalBytes()
        }
    }

    private func device(
        _ platform: Platform,
        _ os: String,
        _ appVersion: String
    ) throws -> Device {
        guard let english = lang.first ?? LanguageTag("en") else {
            preconditionFailure("en is a language tag")
        }
        let device = Device(
            platform: platform,
            os: try version(os, "--os", platform.systemKind, platform),
            app: try version(appVersion, "--app-version", platform.versionKind, platform),
            store: try store.map { try version($0, "--store", platform.versionKind, platform) },
            language: english,
            others: Array(lang.dropFirst())
        )
        guard let device else { preconditionFailure("all versions were read for the platform") }
        return device
    }
}

extension DeviceOutcome {
    /// What a device shows, and why.
    var report: Report { Report(Self.shape.json(self), [.line(sentence)] + words) }

    fileprivate var sentence: String { "\(verdict.sentence), because \(because)." }

    fileprivate var words: [Report.Block] {
        [shownTitle.map { ("title", $0) }, shownDescription.map { ("text", $0) }]
            .compactMap(\.self).flatMap { name, text in text.lines(of: name).blocks }
    }
}

extension ShownText {
    /// The text, or all that it may be: such phones take any of them.
    fileprivate func lines(of name: String) -> [String] {
        switch self {
        case .one(let text): return ["\(name): \(text.isEmpty ? "(empty)" : text.legibleLines)"]
        case .oneOf(let texts):
            let choices = texts.sorted { $0.key < $1.key }
            return ["\(name): one of these, and nobody can say which:"]
                + choices.map { "  \($0.key): \($0.value.legibleLines)" }
        }
    }
}

extension Report {
    /// With whose app it is that shows it.
    func shown(by client: String?) -> Report {
        guard let client else { return self }
        var json = json
        json["client"] = .string(client)
        return Report(json, blocks + [.line("So \(client) shows it; --client asks another.")])
    }
}

extension SimulationAnswer {
    /// What the device is told in the state that was asked for, and before it where two were.
    var report: Report {
        guard let to else {
            return Report(json, outcome.blocks(on: platform) + refusals.blocks)
                .shown(by: client)
        }
        let sides = [(from, before), (to, outcome)]
        let shown = sides.map { "\($0.name.text): \($1.shown.sentence)" }
        let offered = sides.map { "\($0.name.text): \($1.offered.sentence)" }
        let words = platform.thresholds.isEmpty ? [] : shown.blocks + outcome.shown.words
        let remark = before == outcome ? ["Nothing moves for this device."] : []
        return Report(json, words + offered.blocks + remark.blocks + refusals.blocks)
            .shown(by: client)
    }

    /// Apps that go on with an older document.
    private var refusals: [String] {
        refusedBy.map { legible($0.sentence) }
    }
}

extension SimulationAnswer.Refuser {
    var sentence: String {
        "Refused by \(client) (\(versions)), which keeps its last document: \(because)."
    }
}

extension DeviceReading {
    /// Where there are no thresholds, nothing is said of them.
    fileprivate func blocks(on platform: Platform) -> [Report.Block] {
        let shown = platform.thresholds.isEmpty ? [] : shown.report.blocks
        return shown + [.line(offered.sentence)]
    }
}

extension OfferOutcome {
    fileprivate var sentence: String {
        "\(verdict.sentence)\(version.map { " to \($0)" } ?? ""), because \(because)."
    }
}

extension OfferVerdict {
    private static let clients = "Clients of Prince of Versions"

    fileprivate var sentence: String {
        switch self {
        case .updateRequired: "\(Self.clients) demand an update"
        case .updateOffered: "\(Self.clients) offer an update"
        case .noUpdate: "\(Self.clients) tell of no update"
        }
    }
}

extension [String] {
    fileprivate var blocks: [Report.Block] { map(Report.Block.line) }
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
