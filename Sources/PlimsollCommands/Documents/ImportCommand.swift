import ArgumentParser
import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import PlimsollJSON

/// `plimsoll import`: a document that exists becomes a change.
struct ImportCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Propose a change that makes what is live equal to documents in files.",
        discussion: """
            What a file leaves out is cleared, as it would be on a phone. Where nothing would \
            change the exit code is 3. With --source what you imported from there before and is still \
            open is superseded, or answered where it says the same.

            A document for Prince of Versions becomes offers, or thresholds for the app where it \
            brings texts for them and they can say all of it; the rest of what is live \
            stays. What clients do not read alike is refused, what is lost is listed, and a table \
            says what changes for which generation of clients.

            Examples:
              plimsoll import availability-ios.json --title "Take over" --dry-run
              plimsoll import availability-ios.json availability-android.json
              plimsoll import availability-android.json --drop-empty \\
                --text minimumApp.description.en-GB="Please update the app."
              plimsoll import prince-of-versions.json --dry-run
              plimsoll import availability-ios.json --source github.com/acme/app \\
                --idempotency-key "$GITHUB_SHA"
            """
    )

    @Argument(
        help: "Availability documents, one a platform, or one for Prince of Versions; - is stdin."
    )
    var files: [String]
    @OptionGroup var service: ServiceOptions
    @OptionGroup var app: AppOption
    @OptionGroup var submission: SubmissionOptions
    @OptionGroup var output: OutputOptions
    @Option(help: "The platform of a file that does not say it.")
    var platform: Platform?
    @Flag(
        help:
            "Leave out texts that are empty, as the first documents had them; --text writes others."
    )
    var dropEmpty = false
    @Option(
        name: .customLong("text"),
        parsing: .singleValue,
        help: ArgumentHelp(
            "Set a text that the files leave out, from a file with =@file; may be repeated.",
            valueName: "path=text"
        )
    )
    var texts: [String] = []
    @Option(help: "One line that says what the change does.")
    var title: String?
    @Option(help: "Why it is made.")
    var reason: String?
    @OptionGroup var origin: SourceOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let imported = try files.map {
            try ImportedFile($0, platform: platform, emptyTexts: dropEmpty ? .dropped : .refused)
        }
        let platforms = imported.flatMap(\.documents).map(\.platform)
        if let twice = platforms.first(where: { one in platforms.count { $0 == one } > 1 }) {
            throw Failure(
                .usage,
                "More than one of the files is for \(twice.name); give one for each platform."
            )
        }
        let names = platforms.sorted().map(\.name).joined(separator: " and ")
        let title = try Title(written: title ?? "Import documents for \(names)")
        let reason = try Reason(written: reason)
        let source = try origin.title()
        let written = try EditArguments(texts: texts)
            .operations(on: platform ?? platforms.first) { try contents(of: $0) }
        let asked = typedDigest([
            "title": .string(title.text), "reason": JSONValue(reason?.text),
            "source": JSONValue(source?.text), "dropEmpty": .bool(dropEmpty),
            "platform": JSONValue(platform?.rawValue), "texts": JSONValue(written),
            "files": .array(imported.map { .string($0.digest) }),
        ])
        return try await service.withClient { client in
            let app = try await app.resolve(client)
            var operations: [Operation] = []
            for file in imported {
                operations += try await file.operations(for: app, client)
            }
            operations = written.taking(thePlaceIn: operations)
            for loss in imported.flatMap(\.losses) {
                output.note("Not taken over: \(legible(loss))")
            }
            for comparison in imported.compactMap({ $0.comparison(for: app.settings.princeClients) }
            ) {
                for line in comparison.lines { output.note(line) }
            }
            // Under a key there may be an answer from before.
            guard !operations.isEmpty || submission.idempotencyKey != nil else {
                return nothingToPropose(output)
            }
            // The position was read before the documents, so that what comes between is noticed.
            let form = ProposalForm(
                title: title,
                reason: reason,
                base: app.position,
                operations: operations,
                source: source
            )
            do {
                return try await propose(form, for: app, asked: asked, client, submission, output)
            } catch let failure as Failure where operations.isEmpty && failure.isOfNoOperations {
                return nothingToPropose(output)
            }
        }
    }

    private func nothingToPropose(_ output: Output) -> ExitStatus {
        output.note("The files say what is live already; there is nothing to propose.")
        return .differs
    }
}

extension Failure {
    /// Whether all that was wrong is that there was nothing to propose.
    fileprivate var isOfNoOperations: Bool {
        checks.contains { $0.detail.hasSuffix("(/operations)") }
    }
}

extension PrinceOfVersionsComparison {
    /// What changes for which generation, as a table.
    fileprivate var lines: [String] {
        let looked = "\(deviceCount) devices, each of a client generation, a version and a system"
        guard !differences.isEmpty else {
            return ["Nothing changes for clients of Prince of Versions, on \(looked)."]
        }
        let table = Table(
            ["CLIENT", "DEVICES", "APP", "SYSTEM", "SO FAR", "FROM THEN ON"],
            differences.map { difference in
                [
                    difference.client.rawValue, "\(difference.deviceCount)",
                    legible(difference.example.app), legible(difference.example.system),
                    excerpt(difference.before), excerpt(difference.after),
                ]
            }
        )
        return ["Changes for clients of Prince of Versions, on \(looked):"]
            + table.lines(.plain)
    }
}

extension ImportedFile {
    /// What makes what is live equal to it.
    fileprivate func operations(
        for app: AppAnswer,
        _ client: AdminClient
    ) async throws -> [Operation] {
        let told =
            tellsPrinceClients
            ? try await client.call(Endpoints.getPrinceOfVersions, app.slug) : nil
        var operations: [Operation] = []
        for document in documents {
            let platform = document.platform
            if let told, says(what: told.document, of: platform) { continue }
            var live =
                platform.thresholds.isEmpty
                ? Document(platform: platform)
                : try await client.document(of: app.slug, on: platform).parsed()
            live.offers = told?.offers[platform] ?? []
            live.legacy = told?.legacy[platform]
            let kept = try await document.withoutDerivedLegacy(for: app, client)
            operations += live.operations(to: replacement(for: live, by: kept))
        }
        return operations
    }
}

/// A file that says what shall stand: an availability document, or one for Prince of Versions.
struct ImportedFile {
    /// For one platform, or for those that a document for Prince of Versions has.
    let documents: [Document]
    /// What could not be taken over, as sentences.
    let losses: [String]
    private let isWhole: Bool
    private let bytes: [UInt8]
    private let members: JSONObject

    init(_ path: String, platform: Platform?, emptyTexts: EmptyTexts = .refused) throws {
        bytes = try contents(of: path)
        members = try Self.members(bytes, path)
        guard PrinceOfVersionsImport.isLikely(members) else {
            let file = try DocumentFile(path, bytes, platform: platform, emptyTexts: emptyTexts)
            documents = [file.document]
            let unknown = file.unknownMembers.map { "\($0), which no phone looks for." }
            losses = unknown + (emptyTexts == .dropped ? file.emptyTexts : [])
            isWhole = true
            return
        }
        guard platform == nil else {
            throw Failure(.usage, "\(path) names its platforms itself; leave out --platform.")
        }
        do {
            let prince = try PrinceOfVersionsImport(parsing: bytes)
            (documents, losses, isWhole) = (prince.documents, prince.losses, false)
        } catch {
            throw Failure(
                .failed,
                "\(path) says what clients of Prince of Versions do not read alike.",
                checks: error.checks
            )
        }
    }

    /// What is no JSON is said before anybody asks what kind of document it is.
    private static func members(_ bytes: [UInt8], _ path: String) throws -> JSONObject {
        do {
            return try LenientDocument(bytes, limits: limits).members
        } catch {
            throw Failure(.failed, "\(path) is no document.", checks: error.checks)
        }
    }

    private static let limits = JSONLimits(sizeMaximum: 4 << 20)

    /// Of what stands in it; a pipe cannot be read a second time.
    var digest: String { contentDigest(bytes) }

    /// Whether the file says what clients of Prince of Versions are told.
    var tellsPrinceClients: Bool { !isWhole }

    /// Whether it is what clients are told of the platform already, word for word.
    func says(what told: JSONObject, of platform: Platform) -> Bool {
        tellsPrinceClients
            && ["meta", platform.rawValue, "\(platform.rawValue)2"].allSatisfy {
                members[$0] == told[$0]
            }
    }

    /// What becomes another for any generation of clients of Prince of Versions.
    ///
    /// Of releases nothing is known here, so where thresholds are told they are told to all systems.
    func comparison(for clients: PrinceOfVersionsClients) -> PrinceOfVersionsComparison? {
        guard tellsPrinceClients else { return nil }
        var source = PrinceOfVersionsExport.Source(documents)
        source.clients = clients
        return PrinceOfVersionsComparison(bytes, PrinceOfVersionsExport(source).document)
    }

    /// What stands afterwards where something stands now.
    ///
    /// A document for Prince of Versions has offers and nothing else, or it knows the thresholds for
    /// the app, and may leave the texts and those for the system as they are; an availability
    /// document knows no offers.
    func replacement(for live: Document, by imported: Document) -> Document {
        // An object for clients before 4.0 alone says nothing of the rest.
        if !isWhole, imported.offers.isEmpty, !imported.hasThresholds {
            var replacement = live
            replacement.legacy = imported.legacy
            return replacement
        }
        var replacement = isWhole ? imported : live
        replacement.offers = isWhole ? live.offers : imported.offers
        replacement.legacy = isWhole ? live.legacy : imported.legacy
        guard !isWhole, imported.offers.isEmpty else { return replacement }
        for name in ThresholdName.allCases where !(name.isOfSystem && imported[name].isEmpty) {
            var threshold = imported[name]
            if name.isOfSystem { threshold.value = threshold.value ?? live[name].value }
            if threshold.value != nil {
                threshold.titles = live[name].titles.merging(threshold.titles) { $1 }
                threshold.descriptions = live[name].descriptions
                    .merging(threshold.descriptions) { $1 }
            }
            replacement[name] = threshold
        }
        return replacement
    }
}

extension Document {
    /// Without the object for clients before 4.0 where the app tells them and the rest leads to it.
    ///
    /// What thresholds lead to follows what releases need, so where any is known the object stays.
    fileprivate func withoutDerivedLegacy(
        for app: AppAnswer,
        _ client: AdminClient
    ) async throws -> Document {
        guard app.settings.princeClients == .all, legacy != nil else { return self }
        if offers.isEmpty {
            let known = try await client.releases(of: app.slug, on: platform)
            guard known.releases.isEmpty else { return self }
        }
        var document = self
        document.legacy = nil
        var source = PrinceOfVersionsExport.Source([document])
        source.clients = .all
        return PrinceOfVersionsExport(source).document.legacy?[platform] == legacy ? document : self
    }
}
