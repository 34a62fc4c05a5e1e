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
                --text description.en-GB="An update is on its way." \\
                --text description.cy=@cy.txt
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
        let version = try version(below, "--below", platform.versionKind, platform)
        let reason = try Reason(written: emergency.reason)
        let texts = try words.texts(on: platform)
        let incident = try Title(written: emergency.incident, "--incident")
        let edge = try run.check()
        let receipt = try await run.service.withClient { client in
            let slug = try await run.app.slug(client)
            let form = BlockForm(
                platform: platform,
                below: version,
                texts: texts,
                reason: reason,
                incident: incident,
                owner: try await principal(called: emergency.owner, client)
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
                try await client.call(Endpoints.blockVersion, slug, form, options)
            }
        }
        return try await run.finish(receipt, edge, output)
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

/// `plimsoll emergency`: any edits at once and by one person.
struct EmergencyCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "emergency",
        abstract: "Apply edits at once, without approval; somebody else reviews them afterwards.",
        discussion: """
            It takes the edits that plimsoll propose takes, shows the effect and asks. Neither \
            approvals nor a freeze stand in its way. A file with a schedule is refused.

            Examples:
              plimsoll emergency --platform ios --set minimumOS.value=15.1 \\
                --title "Keep 15.0 out" --reason "It crashes there" --incident INC-731
              plimsoll emergency --file change.json --incident INC-731 --yes --wait
            """
    )

    @OptionGroup var edits: EditOptions
    @Option(help: "One line that says what it does.")
    var title: String?
    @Option(help: "Why; it is kept with the event.")
    var reason: String?
    @Option(help: "The incident's number or address, by which people find it.")
    var incident: String
    @Option(help: "Who sees to the review, by name or id; you without it.")
    var owner: String?
    @OptionGroup var run: EmergencyRun
    @OptionGroup var output: OutputOptions

    func validate() throws { try edits.requireEdits() }

    func execute(_ output: Output) async throws -> ExitStatus {
        let written = try edits.written()
        guard written?.schedule == nil else {
            throw Failure(
                .failed,
                "The file has a schedule, and an emergency has none: it comes into force at once.",
                detail: "Leave the schedule out of the file, or propose the change with it.",
                next: "plimsoll propose, with the same edits"
            )
        }
        let operations = try edits.operations(written)
        let title = try Title(written: title) ?? written?.title
        let reason = try Reason(written: reason) ?? written?.reason
        guard let title, let reason else {
            throw ValidationError("An emergency needs a --title and a --reason.")
        }
        let incident = try Title(written: incident, "--incident")
        let edge = try run.check()
        let receipt = try await run.service.withClient { client in
            let slug = try await run.app.slug(client)
            let form = EmergencyForm(
                title: title,
                reason: reason,
                incident: incident,
                owner: try await principal(called: owner, client),
                base: edits.base ?? written?.base,
                operations: operations
            )
            return try await run.receipt(
                asking: "Bring this into force for \(slug)?",
                inStead: "plimsoll propose, with the same edits",
                client,
                output
            ) { options async throws(AdminError) in
                try await client.call(Endpoints.declareEmergency, slug, form, options)
            }
        }
        return try await run.finish(receipt, edge, output)
    }
}

/// Shows an emergency, asks, carries it out and waits for phones.
struct EmergencyRun: ParsableArguments {
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var wait: WaitOption
    @OptionGroup var service: ServiceOptions
    @OptionGroup var app: AppOption
    @OptionGroup var submission: SubmissionOptions

    /// Finds out before anybody is asked what would keep it from being carried out.
    func check() throws -> EdgeWait? {
        let edge = try wait.edge()
        if !submission.dryRun { try confirmation.check() }
        return edge
    }

    /// The receipt, once somebody agreed; whoever may only propose is told how.
    func receipt(
        asking question: String,
        inStead next: String,
        _ client: AdminClient,
        _ output: Output,
        _ write: (WriteOptions) async throws(AdminError) -> EmergencyAnswer
    ) async throws -> EmergencyReceipt {
        if !submission.dryRun, !confirmation.yes {
            let dryRun = try await submission.preview { options in
                try await told(next) { () async throws(AdminError) in try await write(options) }
            }
            if let dryRun { Output.preview(dryRun.blocks(await People(client))) }
            try confirmation.obtain(question)
        }
        let receipt = try await submission.write { options in
            try await told(next) { () async throws(AdminError) in try await write(options) }
        }
        let people = await output.people(client)
        return EmergencyReceipt(
            answer: receipt,
            report: receipt.report(people, dryRun: submission.dryRun)
        )
    }

    func finish(
        _ receipt: EmergencyReceipt,
        _ edge: EdgeWait?,
        _ output: Output
    ) async throws -> ExitStatus {
        let answer = receipt.answer
        let applied = answer.position.map {
            AppliedWrite(app: answer.app, effect: answer.changes, position: $0)
        }
        return try await output.show(receipt.report, of: applied, servedBy: edge, trusting: service)
    }

    private func told(
        _ next: String,
        _ write: () async throws(AdminError) -> EmergencyAnswer
    ) async throws -> EmergencyAnswer {
        do throws(AdminError) {
            return try await write()
        } catch {
            let codes = error.problem?.errors.map(\.code) ?? []
            guard codes.contains("proposeInstead") else { throw error }
            var failure = Failure(error)
            failure.next = next
            throw failure
        }
    }
}

extension EmergencyAnswer {
    fileprivate func report(_ people: People, dryRun: Bool) -> Report {
        Report(json, blocks(people), dryRun: dryRun)
    }

    fileprivate func blocks(_ people: People) -> [Report.Block] {
        let names = Set(changes.map(\.field.platform)).sorted().map(\.name)
        var heading = "\(app) on \(names.joined(separator: " and "))"
        if let change, let position, let sequence {
            heading +=
                ": change \(change) done as event \(position),"
                + " ordered as sequence \(sequence)"
        }
        let order = review.order
        var lines = [
            heading,
            "incident  \(excerpt(incident.text, 200))",
            "review    by somebody else in the role \(order.role.rawValue) until \(order.due);"
                + " \(people.name(order.owner)) sees to it",
        ]
        if let position = review.position {
            lines.append("          plimsoll reviews show \(position)")
        }
        lines += overtaken.map {
            "overtakes change \($0), which waits for its time: it is in conflict now"
        }
        lines += stays.map { change in
            "stays     \(change.field.name) for good: "
                + (change.before.map { excerpt($0.description, 60) } ?? "what was not set")
                + " was to come back by itself, and does not any more"
        }
        lines += textsMissing.map { "no text   \($0.name): people who read it see none" }
        let back = change.map { "plimsoll revert \($0) takes it back." }
        return lines.map(Report.Block.line) + blocked.blocks + checks.blocks + changes.blocks
            + notes.blocks + [back].compactMap(\.self).map(Report.Block.line)
    }
}

/// What was done in an emergency, and how it is shown.
struct EmergencyReceipt {
    let answer: EmergencyAnswer
    let report: Report
}

/// Why somebody acts alone; the incident may have no number yet.
struct UnnumberedEmergencyOptions: ParsableArguments {
    @Option(help: "Why; it is kept with the event.")
    var reason: String
    @Option(help: "The incident's number or address, by which people find it.")
    var incident: String?
    @Option(help: "Who sees to the review, by name or id; you without it.")
    var owner: String?
}

/// The one principal that a name or an id names.
func principal(called name: String?, _ client: AdminClient) async throws -> PrincipalID? {
    guard let name else { return nil }
    let found = await People(client).principals(named: name)
    guard let principal = found.first, found.count == 1 else {
        throw Failure(
            .failed,
            found.isEmpty
                ? "There is nobody called \"\(legible(name))\" whose name you may see."
                : "Several are called \"\(legible(name))\"; name one by id.",
            next: "plimsoll principal list"
        )
    }
    return principal
}
