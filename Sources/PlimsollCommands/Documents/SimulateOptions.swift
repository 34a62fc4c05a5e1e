import ArgumentParser
import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import PlimsollJSON

/// What is to come over a state: a change, or a rollback.
struct OutlookOptions: ParsableArguments {
    @Option(help: "A change, to see what it leads to.")
    var change: ChangeID?
    @Option(
        help: ArgumentHelp(
            "A rollback, to see what it leads to: \(RollbackTarget.grammar).",
            valueName: "target"
        )
    )
    var afterRollback: RollbackTarget?

    func validate() throws {
        if change != nil, afterRollback != nil {
            throw ValidationError("Give --change or --after-rollback, but not both.")
        }
    }

    /// `nil` where nothing is to come.
    var state: StateName? {
        change.map(StateName.change) ?? afterRollback.map(StateName.rollback)
    }
}

extension MomentOptions {
    /// The state as a comparison names it.
    var state: StateName {
        event.map(StateName.event) ?? at.map(StateName.time) ?? .live
    }
}

extension RollbackTarget: ArgumentValue {
    static let grammar =
        "event:POSITION, time:TIME, before-change:ID, revert:ID, last-good or last-good:12h"

    /// A day: what was wrong with a state has shown by then.
    static let liveSecondsUsual: Int64 = 86_400

    init?(argument: String) throws {
        let lastGood = "last-good:"
        if argument == "last-good" {
            self = .lastGood(seconds: Self.liveSecondsUsual)
        } else if argument.hasPrefix(lastGood),
            let time = Duration(written: String(argument.dropFirst(lastGood.count))),
            Self.secondsAllowed.contains(time.components.seconds)
        {
            self = .lastGood(seconds: time.components.seconds)
        } else if argument.hasPrefix("time:") {
            self = .time(try pastMoment(String(argument.dropFirst(5))))
        } else {
            self.init(argument)
        }
    }
}

/// All devices that are known of, instead of one.
struct MatrixOptions: ParsableArguments {
    @Flag(help: "Every known release on every system where a line is drawn.")
    var matrix = false
}

extension MatrixAnswer {
    var report: Report {
        guard !matrix.rows.isEmpty else {
            let none = "No release is known; plimsoll release add makes one known."
            return Report(json, [.line(none)])
        }
        let table = Table(
            ["VERSION"] + matrix.systems.map { "\(matrix.platform.systemName) \($0)" },
            matrix.rows.map { row in [row.version.description] + row.cells.map(words) }
        )
        var blocks = [Report.Block.table(table)]
        if to != nil {
            let moved = matrix.movedCount
            let sentence = "\(moved) of these devices show something else."
            blocks.append(.line(moved == 0 ? "Nothing moves." : sentence))
        }
        return Report(json, blocks + leftOut.map(Report.Block.line))
    }

    /// What is not in the table, so that nobody takes it for all there is.
    private var leftOut: [String] {
        let (releases, systems) = (matrix.releasesLeftOut, matrix.systemsLeftOut)
        return [
            releases == 0 ? nil : "Older releases that are not shown: \(releases).",
            systems == 0 ? nil : "Older systems that are not shown: \(systems).",
        ].compactMap(\.self)
    }

    private func words(_ cell: DeviceMatrix.Cell?) -> String {
        guard let cell else { return "-" }
        let offers = cell.offersBefore.word(to: cell.offersAfter)
        guard !matrix.platform.thresholds.isEmpty else { return offers }
        let shown =
            cell.before == cell.after
            ? cell.before.word : "\(cell.before.word) → \(cell.after.word)"
        let isTold = OfferVerdict.saySoToo(
            (cell.offersBefore, cell.offersAfter),
            where: (cell.before, cell.after)
        )
        return isTold ? shown : "\(shown); offers: \(offers)"
    }
}

extension Platform {
    fileprivate var systemName: String {
        switch self {
        case .android: "API"
        case .jvm: "Java"
        case .ios, .macos: name
        }
    }
}

extension OfferVerdict {
    fileprivate func word(to next: OfferVerdict) -> String {
        self == next ? word : "\(word) → \(next.word)"
    }

    private var word: String {
        switch self {
        case .updateRequired: "update required"
        case .updateOffered: "update offered"
        case .noUpdate: "no update"
        }
    }
}

extension DeviceVerdict {
    /// What it comes to, short enough for a cell.
    fileprivate var word: String {
        switch self {
        case .available: "runs"
        case .osRecommended: "runs, newer OS advised"
        case .appRecommended: "runs, update advised"
        case .appTooOldUpdateAvailable: "update"
        case .appTooOld: "blocked"
        case .osTooOld: "OS too old"
        }
    }
}

/// Whose reading of a document is simulated.
enum SimulatedClient: ExpressibleByArgument {
    /// Apps that link our own client, on whichever platform.
    case own
    /// Apps that read availability documents.
    case generation(ClientGeneration)
    /// A library that reads what Prince of Versions is told.
    case prince(PrinceOfVersionsClient)

    init?(argument: String) {
        if argument == "plimsoll" {
            self = .own
        } else if let generation = ClientGeneration(argument) {
            self = .generation(generation)
        } else if let prince = PrinceOfVersionsClient(rawValue: argument) {
            self = .prince(prince)
        } else {
            return nil
        }
    }

    var name: String {
        switch self {
        case .own: "plimsoll"
        case .generation(let generation): generation.name
        case .prince(let client): client.rawValue
        }
    }

    static var allValueStrings: [String] {
        ["plimsoll"] + ClientGeneration.all.map(\.name) + PrinceOfVersionsClient.allValueStrings
    }
}

/// What a client of Prince of Versions is told beside the versions.
struct PrinceOfVersionsOptions: ParsableArguments {
    @Option(help: "With --client: the build of the app, on Apple's platforms; else 0.")
    private var build: String?
    @Option(
        name: .customLong("requirement"),
        help: ArgumentHelp(
            "With --client: which value of a requirement of its own the app accepts.",
            valueName: "name=value"
        )
    )
    private var requirements: [String] = []
    @Option(help: "With --client: how often it looks; what it remembers counts.")
    private var times: Int?

    private static let timesMaximum = 1000

    /// Without a client none of them means anything.
    func refuse() throws {
        if build != nil || !requirements.isEmpty || times != nil {
            throw ValidationError("--build, --requirement and --times need --client.")
        }
    }

    func device(
        _ client: PrinceOfVersionsClient,
        appVersion: String,
        os: String
    ) throws -> PrinceOfVersionsDevice {
        let installation = client.installation
        try check(appVersion, "--app-version", installation.appGrammar, installation.takesApp)
        try check(os, "--os", installation.osGrammar, installation.takesOS)
        if let build {
            guard installation == .apple else {
                throw ValidationError("--build is for Apple's platforms only; leave it out.")
            }
            try check(build, "--build", "a text that is not blank", isWritten)
        }
        return PrinceOfVersionsDevice(
            appVersion: appVersion,
            build: build ?? "0",
            os: os,
            requirements: try accepted()
        )
    }

    private func check(
        _ text: String,
        _ option: String,
        _ grammar: String,
        _ isTaken: (String) -> Bool
    ) throws {
        guard isTaken(text) else {
            throw ValidationError(
                "\(option) is \"\(excerpt(text))\"; it needs to be \(grammar) for this client."
            )
        }
    }

    private func accepted() throws -> [String: String] {
        var accepted: [String: String] = [:]
        for requirement in requirements {
            let parts = requirement.split(
                separator: "=",
                maxSplits: 1,
                omittingEmptySubsequences: false
            ).map(String.init)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw ValidationError(
                    "--requirement is \"\(excerpt(requirement))\"; write name=value."
                )
            }
            guard accepted.updateValue(parts[1], forKey: parts[0]) == nil else {
                throw ValidationError(
                    "--requirement names \"\(excerpt(parts[0]))\" twice; one value is accepted."
                )
            }
        }
        return accepted
    }

    /// What the last look gives; beside what it would give in another state, where one is asked for.
    func report(
        on document: [UInt8],
        _ client: PrinceOfVersionsClient,
        _ device: PrinceOfVersionsDevice,
        after earlier: (document: [UInt8], from: StateName, to: StateName)? = nil
    ) throws -> Report {
        let found = try looks(at: document, client, device)
        var json = found.outcome.json
        json["client"] = .string(client.rawValue)
        json["checks"] = .array(found.statuses.map { .string($0.rawValue) })
        guard let earlier else { return Report(json, [.line(found.outcome.sentence)]) }
        let before = try looks(at: earlier.document, client, device).outcome
        json["before"] = .object(before.json)
        json["moved"] = .bool(before != found.outcome)
        return Report(
            json,
            [
                .line("\(earlier.from.text): \(before.sentence)"),
                .line("\(earlier.to.text): \(found.outcome.sentence)"),
            ]
        )
    }

    /// Has the client look as often as was asked for; the last look is the outcome.
    private func looks(
        at document: [UInt8],
        _ client: PrinceOfVersionsClient,
        _ device: PrinceOfVersionsDevice
    ) throws -> (outcome: PrinceOfVersionsOutcome, statuses: [PrinceOfVersionsStatus]) {
        let count = times ?? 1
        guard (1...Self.timesMaximum).contains(count) else {
            throw ValidationError("--times needs to be from 1 to \(Self.timesMaximum).")
        }
        var memory = PrinceOfVersionsMemory()
        var outcome = client.check(document, on: device, remembering: &memory)
        var statuses = [outcome.status]
        for _ in 1..<count {
            outcome = client.check(document, on: device, remembering: &memory)
            statuses.append(outcome.status)
        }
        return (outcome, statuses)
    }
}

extension PrinceOfVersionsClient: ExpressibleByArgument {}

private func isWritten(_ text: String) -> Bool { text.contains { !$0.isWhitespace } }

extension PrinceOfVersionsClient.Installation {
    fileprivate var appGrammar: String {
        switch self {
        case .apple, .semantic, .java: "a text that is not blank"
        case .code: "a version code, \(AndroidVersion.grammar)"
        }
    }

    /// What a client cannot read as a version is an outcome; a version code is never anything else.
    fileprivate func takesApp(_ text: String) -> Bool {
        switch self {
        case .apple, .semantic, .java: isWritten(text)
        case .code: isLevel(text)
        }
    }

    fileprivate var osGrammar: String {
        switch self {
        case .apple: AppleVersion.grammar
        case .code, .semantic: "an API level, \(AndroidVersion.grammar)"
        case .java: "a feature release of Java, \(AndroidVersion.grammar)"
        }
    }

    fileprivate func takesOS(_ text: String) -> Bool {
        switch self {
        case .apple: AppleVersion(text) != nil
        case .code, .semantic, .java: isLevel(text)
        }
    }

    private func isLevel(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) }
            && Int64(text).flatMap(AndroidVersion.init) != nil
    }
}

extension PrinceOfVersionsOutcome {
    fileprivate var sentence: String {
        switch self {
        case .failed(let failure): "The client fails with \(failure.name)."
        case .answered(let answer): "\(answer.status.sentence) (\(answer.updateVersion))."
        }
    }
}

extension PrinceOfVersionsStatus {
    fileprivate var sentence: String {
        switch self {
        case .requiredUpdateNeeded: "The client demands an update"
        case .newUpdateAvailable: "The client offers an update"
        case .noUpdateAvailable: "The client tells of no update"
        case .error: "The client fails"
        }
    }
}

extension OfferVerdict {
    /// Whether clients of Prince of Versions are told, before and after, what the shipped apps show,
    /// and nothing moves for them alone: then it need not be said twice.
    static func saySoToo(
        _ offers: (before: OfferVerdict, after: OfferVerdict),
        where shown: (before: DeviceVerdict, after: DeviceVerdict)
    ) -> Bool {
        offers.before.saysSoToo(where: shown.before) && offers.after.saysSoToo(where: shown.after)
            && (shown.before != shown.after || offers.before == offers.after)
    }

    /// Of a system that is too old offers say nothing.
    private func saysSoToo(where shown: DeviceVerdict) -> Bool {
        switch shown {
        case .available: self == .noUpdate
        case .osRecommended: self != .updateRequired
        case .appRecommended: self == .updateOffered
        case .appTooOldUpdateAvailable, .appTooOld: self == .updateRequired
        case .osTooOld: true
        }
    }
}
