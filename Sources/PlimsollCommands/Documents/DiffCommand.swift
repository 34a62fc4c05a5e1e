import ArgumentParser
import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import PlimsollJSON

/// `plimsoll diff`: what is different between two states.
struct DiffCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Compare two states of the documents.",
        discussion: """
            A side is \(DiffSide.grammar). A change is what it left behind; while it is open, what \
            it would make of what is live. The exit code is 0 where both sides are the same and 3 \
            where they differ. Files and addresses alone need no service.

            Examples:
              plimsoll diff event:42 live
              plimsoll diff live change:2
              plimsoll diff snapshot:103 time:2026-11-21T08:00:00Z --platform ios
              plimsoll diff live file:availability-ios.json
              plimsoll diff live http://127.0.0.1:8081/distribution/availability-ios
            """
    )

    @Argument(help: "The earlier side.")
    var before: DiffSide
    @Argument(help: "The later side.")
    var after: DiffSide
    @OptionGroup var service: ServiceOptions
    @OptionGroup var app: AppOption
    @OptionGroup var output: OutputOptions
    @Option(help: "One platform; all of the app's without it, or the one that a file is for.")
    var platform: Platform?

    func execute(_ output: Output) async throws -> ExitStatus {
        let difference = try await difference()
        let changes = difference.changes
        let json: JSONObject = [
            "before": .string(before.text), "after": .string(after.text),
            "same": .bool(changes.isEmpty), "changes": changes.json,
            "blocked": JSONValue(difference.blocked),
        ]
        let same = [Report.Block.line("\(before.text) and \(after.text) are the same.")]
        let blocks = changes.blocks + difference.blocked.blocks
        output.show(Report(json, changes.isEmpty ? same : blocks))
        return changes.isEmpty ? .done : .differs
    }

    /// What is different, and how many devices it blocks where the service knows both sides.
    private struct Difference {
        let changes: [FieldChange]
        var blocked: [BlockedShare] = []
    }

    private func difference() async throws -> Difference {
        switch (try await found(before), try await found(after)) {
        case (.state(let old), .state(let new)):
            return try await service.withClient { client in
                let app = try await app.resolve(client).slug
                let diff = try await client.diff(of: app, from: old, to: new, on: platform)
                return Difference(changes: diff.changes, blocked: diff.blocked)
            }
        case (.state(let old), .document(let new)):
            return Difference(changes: try await recorded(old, on: new.platform).changes(to: new))
        case (.document(let old), .state(let new)):
            return Difference(changes: old.changes(to: try await recorded(new, on: old.platform)))
        case (.document(let old), .document(let new)):
            guard old.platform == new.platform else {
                throw Failure(
                    .usage,
                    "The first document is for \(old.platform.name), and the second for"
                        + " \(new.platform.name); give two for one platform."
                )
            }
            return Difference(changes: old.changes(to: new))
        }
    }

    /// What the service is asked for, or a document that was published, wherever it lies.
    private enum Found {
        case state(StateName)
        case document(Document)
    }

    private func found(_ side: DiffSide) async throws -> Found {
        switch side {
        case .state(let name): return .state(name)
        case .file(let path):
            return .document(try DocumentFile(path, platform: platform).document)
        case .url(let url):
            let served = try await Transport.with { transport in
                try await PublicEdge.served(at: url, over: transport)
            }
            return .document(try DocumentFile(url, served.body, platform: platform).document)
        }
    }

    /// A document as the service knows it: one that it answers whole, and what is different.
    private func recorded(_ name: StateName, on platform: Platform) async throws -> Document {
        try await service.withClient { client in
            let app = try await app.resolve(client)
            var document = try await client.document(
                of: app.slug,
                on: platform,
                at: .event(app.position)
            ).parsed()
            let diff = try await client.diff(
                of: app.slug,
                from: .event(app.position),
                to: name,
                on: platform
            )
            // A document that was published has no other fields.
            for change in diff.changes where change.field.threshold != nil {
                document[change.field] = change.after
            }
            return document
        }
    }
}

/// One of the two sides of a comparison.
enum DiffSide: Equatable, ArgumentValue {
    /// What the service knows or knew.
    case state(StateName)
    case file(String)
    /// What phones are served.
    case url(String)

    static let grammar =
        "live, event:POSITION, time:TIME, change:ID, snapshot:SEQUENCE, file:PATH or the address that"
        + " phones fetch a document from"

    init?(argument: String) throws {
        if argument.hasPrefix("http://") || argument.hasPrefix("https://") {
            self = .url(argument)
        } else if argument.hasPrefix("file:"), argument.utf8.count > 5 {
            self = .file(String(argument.dropFirst(5)))
        } else if let name = try StateName(argument: argument) {
            self = .state(name)
        } else {
            return nil
        }
    }

    /// As it is written on the command line.
    var text: String {
        switch self {
        case .state(let name): name.text
        case .file(let path): "file:\(path)"
        case .url(let url): url
        }
    }
}

extension StateName {
    /// As the service takes it; of a time also what people write for it: `time:yesterday`.
    init?(argument: String) throws {
        for start in ["time:", "rollback:time:"] where argument.hasPrefix(start) {
            let instant = try pastMoment(String(argument.dropFirst(start.utf8.count)))
            self.init(start + instant.rfc3339)
            return
        }
        self.init(argument)
    }
}

/// An availability document in a file.
struct DocumentFile {
    let path: String
    let bytes: [UInt8]
    let availability: AvailabilityDocument
    /// Members of the file that no phone looks for: a name that is not spelt right, perhaps.
    let unknownMembers: [String]

    var document: Document { availability.document }

    /// The platform is the one that is named, else the one that the document itself or the file's
    /// name says: `availability-ios.json`.
    init(_ path: String, platform: Platform?) throws {
        let bytes = try contents(of: path, upTo: Manifest.fileSizeMaximum)
        try self.init(path, bytes, platform: platform)
    }

    /// Bytes that were found under a name.
    init(
        _ path: String,
        _ bytes: [UInt8],
        platform: Platform?,
        emptyTexts: EmptyTexts = .refused
    ) throws {
        let members = members(of: bytes)
        let candidates = [platform, namedPlatform(members), platformInName(path)]
        guard let platform = candidates.lazy.compactMap({ $0 }).first else {
            throw Failure(
                .usage,
                "\(path) does not say which platform it is for.",
                next: "the same command with --platform"
            )
        }
        guard AvailabilityDocument.fileName(for: platform) != nil else {
            throw Failure(.usage, "There is no availability document for \(platform.name).")
        }
        try Self.refuseForeign(members, platform, path)
        (self.path, self.bytes) = (path, bytes)
        unknownMembers = Set(members.keys).subtracting(platform.members).sorted()
        do {
            availability = try AvailabilityDocument(
                parsing: bytes,
                platform: platform,
                profile: .minimal,
                emptyTexts: emptyTexts
            )
        } catch {
            throw Failure(
                .failed,
                "\(path) is not an availability document for \(platform.name).",
                checks: error.checks
            )
        }
    }
}

extension DocumentFile {
    /// Taken for a document, another file would be one that leaves everything out.
    private static func refuseForeign(
        _ members: JSONObject,
        _ platform: Platform,
        _ path: String
    ) throws {
        guard !members.keys.isEmpty, platform.members.isDisjoint(with: members.keys) else { return }
        // What plimsoll get answers has the document within it.
        let isAnswer = members["document"] != nil && members["position"] != nil
        throw Failure(
            .failed,
            "\(path) is not an availability document for \(platform.name): it has no member of one."
                + (isAnswer
                    ? " It is what plimsoll get answers; take its document (jq .document)." : "")
        )
    }

    /// Texts that are left out because they are empty, as sentences.
    var emptyTexts: [String] {
        PublishedDocument(reading: bytes, platform: document.platform).emptyTexts.map {
            "\($0) is empty."
        }
    }
}

/// What cannot be read has no members; what is wrong with it is said when the platform is known.
private func members(of bytes: [UInt8]) -> JSONObject {
    let limits = JSONLimits(sizeMaximum: Manifest.fileSizeMaximum)
    return (try? JSONValue(parsing: bytes, limits: limits))?.object ?? [:]
}

/// The one of the stamp, or of what plimsoll get answers.
private func namedPlatform(_ members: JSONObject) -> Platform? {
    let name = members["plimsoll"]?["platform"] ?? members["platform"]
    return name?.string.flatMap(Platform.init(rawValue:))
}

extension Platform {
    /// The members that its documents have.
    fileprivate var members: Set<String> {
        Set(thresholds.map { $0.member(on: self) } + ["plimsoll"])
    }
}

func platformInName(_ path: String) -> Platform? {
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    return Platform.allCases.first { platform in
        name == "availability-\(platform.rawValue)"
            || name.hasPrefix("availability-\(platform.rawValue).")
    }
}

extension DocumentFile {
    /// What apps of a generation show who find the file as it is, and have no other.
    func outcome(on device: Device, by generation: ClientGeneration) throws -> DeviceOutcome {
        let found = PublishedDocument(reading: bytes, platform: device.platform)
        guard let unread = found.unread(by: [generation]).first else {
            return document.decision(on: device, by: generation)
        }
        return DeviceOutcome(
            verdict: .available,
            shownTitle: nil,
            shownDescription: nil,
            because: "\(generation.sentenceName) refuses the document, because \(unread.reasons);"
                + " it keeps its last one, and without any the app runs",
            keepsLastDocument: true
        )
    }
}

extension DocumentAnswer {
    /// The document that the members say.
    func parsed() throws -> Document {
        do {
            return try AvailabilityDocument(
                parsing: document.canonicalBytes(),
                platform: platform,
                profile: .minimal
            ).document
        } catch {
            throw Failure(
                .failed,
                "The service answered a document that this version of Plimsoll cannot read.",
                checks: error.checks
            )
        }
    }
}

extension JSONIssues {
    /// Each with the place it stands at.
    var checks: [Failure.Check] {
        issues.map { issue in
            let place = issue.pointer == .root ? "" : " (\(issue.pointer))"
            return Failure.Check(detail: issue.detail + place, remedy: nil)
        }
    }
}
