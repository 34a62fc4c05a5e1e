import ArgumentParser
import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain

/// What is to come over a state: a change, or a rollback.
struct OutlookOptions: ParsableArguments {
    @Option(help: "A change, to see what it leads to.")
    var change: ChangeID?
    @Option(
        help: ArgumentHelp(
            "A rollback, to see what it leads to: event:POSITION, time:TIME, before-change:ID,"
                + " revert:ID, last-good or last-good:12h.",
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

extension RollbackTarget: ExpressibleByArgument {
    /// A day: what was wrong with a state has shown by then.
    static let liveSecondsUsual: Int64 = 86_400

    init?(argument: String) {
        let lastGood = "last-good:"
        if argument == "last-good" {
            self = .lastGood(seconds: Self.liveSecondsUsual)
        } else if argument.hasPrefix(lastGood),
            let time = Duration(written: String(argument.dropFirst(lastGood.count))),
            Self.secondsAllowed.contains(time.components.seconds)
        {
            self = .lastGood(seconds: time.components.seconds)
        } else if argument.hasPrefix("time:") {
            guard let moment = try? WrittenMoment(String(argument.dropFirst(5))) else { return nil }
            self = .time(moment.start)
        } else {
            self.init(argument)
        }
    }
}

/// All devices that are known of, instead of one.
struct MatrixOptions: ParsableArguments {
    @Flag(help: "Every known release on every system where a line is drawn.")
    var matrix = false

    func answer(
        _ client: AdminClient,
        _ app: AppSlug,
        _ platform: Platform,
        _ moment: MomentOptions,
        _ outlook: OutlookOptions
    ) async throws -> MatrixAnswer {
        try await client.matrix(
            of: app,
            on: platform,
            from: moment.state,
            to: outlook.state
        )
    }
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
