import ArgumentParser
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// `plimsoll get`: the document as it is or was.
struct GetCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Show what is live, or what was.",
        discussion: """
            Examples:
              plimsoll get
              plimsoll get --platform ios --field minimumApp.value
              plimsoll get --event 42 --json
              plimsoll get --field ios.offers --json
              plimsoll get --prince-of-versions
              plimsoll get --prince-of-versions --change 17
            """
    )

    @OptionGroup var service: ServiceOptions
    @OptionGroup var app: AppOption
    @OptionGroup var moment: MomentOptions
    @OptionGroup var output: OutputOptions
    @Option(help: "One platform; all of the app's without it.")
    var platform: Platform?
    @Option(
        help: ArgumentHelp(
            "One field, such as minimumApp.value; its bare content is the result.",
            valueName: "path"
        )
    )
    var field: String?
    @Flag(
        help: "Show the document for clients of Prince of Versions, and what it cannot say."
    )
    var princeOfVersions = false
    @Option(help: "With --prince-of-versions, what they would be told after a change.")
    var change: ChangeID?

    func validate() throws {
        if change != nil, !princeOfVersions || !moment.isLive {
            throw ValidationError(
                "--change goes with --prince-of-versions, and without --at and --event."
            )
        }
        if princeOfVersions, platform != nil || field != nil {
            throw ValidationError(
                "--prince-of-versions shows one document for all; leave out --platform and --field."
            )
        }
    }

    func execute(_ output: Output) async throws -> ExitStatus {
        try await service.withClient { client in
            let app = try await app.resolve(client)
            if princeOfVersions {
                let answer =
                    if let change {
                        try await client.princeOfVersions(of: app.slug, in: .change(change))
                    } else {
                        try await client.call(
                            Endpoints.getPrinceOfVersions,
                            app.slug,
                            moment.moment.query
                        )
                    }
                output.show(report(answer))
                return .done
            }
            if let field { return try await show(field, of: app, client, output) }
            var answers: [DocumentAnswer] = []
            for platform in app.documentPlatforms(platform) {
                let answer = try await client.document(
                    of: app.slug,
                    on: platform,
                    at: moment.moment
                )
                answers.append(answer)
            }
            let freeze = moment.isLive ? app.freezeBlocks(await output.people(client)) : []
            output.show(try report(answers, below: freeze, app.freezeJSON))
            return .done
        }
    }

    private func show(
        _ text: String,
        of app: AppAnswer,
        _ client: AdminClient,
        _ output: Output
    ) async throws -> ExitStatus {
        let usual = platform ?? (app.documentPlatforms.count == 1 ? app.documentPlatforms[0] : nil)
        let field: Field
        do throws(PathFault) {
            field = try Field(written: text, on: usual)
        } catch {
            throw ValidationError("--field: \(error.sentence)")
        }
        let (value, position) = try await content(of: field, of: app, client)
        switch output.format {
        case .json:
            let json: JSONObject = [
                "field": .string(field.path), "position": JSONValue(position),
                "value": JSONValue(value),
            ]
            output.show(Report(json, []))
        case .table:
            guard let value else {
                output.note("\(field.name) is not set.")
                return .done
            }
            output.show(bare: value.description)
        }
        return .done
    }

    /// The document that phones get has thresholds alone.
    private func content(
        of field: Field,
        of app: AppAnswer,
        _ client: AdminClient
    ) async throws -> (FieldValue?, Position) {
        switch field.subject {
        case .threshold:
            let answer = try await client.document(
                of: app.slug,
                on: field.platform,
                at: moment.moment
            )
            return (try answer.parsed()[field], answer.position)
        case .offers, .legacy:
            let answer = try await client.call(
                Endpoints.getPrinceOfVersions,
                app.slug,
                moment.moment.query
            )
            let value: FieldValue? =
                field.subject == .offers
                ? answer.offers[field.platform].map(FieldValue.offers)
                : answer.legacy[field.platform].map(FieldValue.legacy)
            return (value, answer.position)
        case .packages:
            let answer = try await client.call(
                Endpoints.blameDocument,
                AppPlatform(app.slug, field.platform),
                moment.moment.query
            )
            let line = answer.lines.first { $0.field == field }
            return (line?.value, answer.position)
        }
    }

    private func report(_ answer: PrinceOfVersionsAnswer) -> Report {
        let after = change.map { ", after change \($0)" } ?? ""
        let heading = "\(answer.app) for Prince of Versions, at event \(answer.position)\(after)"
        let document = String(decoding: answer.document.canonicalBytes(), as: UTF8.self)
        let notes = answer.notes.map { note in
            Report.Block.line("\(note.platform.name): \(note.detail)")
        }
        let offers = answer.offers.sorted { $0.key < $1.key }.flatMap { platform, offers in
            [Report.Block.line("\(platform.name) has offers of its own:")]
                + offers.enumerated().map { .line("\($0) \(legible($1.sentence))") }
        }
        let legacy = answer.legacy.sorted { $0.key < $1.key }.map { platform, legacy in
            Report.Block.line(
                "\(platform.name) tells clients before 4.0 what was taken over: \(legible(legacy.sentence))"
            )
        }
        return Report(
            answer.json,
            [.line(heading), .line(legible(document))] + offers + legacy + notes
        )
    }

    private func report(
        _ answers: [DocumentAnswer],
        below heading: [Report.Block],
        _ freeze: JSONValue
    ) throws -> Report {
        var json: JSONObject =
            answers.count == 1 ? answers[0].json : ["documents": JSONValue(answers)]
        if moment.isLive { json["freeze"] = freeze }
        let blocks = try answers.flatMap { answer in
            let document = try answer.parsed()
            let isOfferedOnly = document.isEmpty && answer.offerCount > 0
            let heading = "\(answer.app) on \(answer.platform.name), at event \(answer.position)"
            return [.line(heading)] + (isOfferedOnly ? [] : document.blocks) + answer.offerBlocks
        }
        return Report(json, heading + blocks)
    }
}

extension DocumentAnswer {
    /// What else the platform's clients may be told.
    fileprivate var offerBlocks: [Report.Block] {
        guard offerCount > 0 else { return [] }
        let what = offerCount == 1 ? "one offer" : "\(offerCount) offers"
        return [.line("Clients of Prince of Versions are told \(what): --prince-of-versions.")]
    }
}

extension Document {
    /// Every field with what it holds.
    var blocks: [Report.Block] {
        guard !isEmpty else { return [.line("Nothing is set; every version is fine.")] }
        let rows = fields.sorted(by: Field.precedesInReading).map { field in
            [
                field.path.split(separator: ".").dropFirst().joined(separator: "."),
                excerpt(self[field]?.description ?? ""),
            ]
        }
        return [.table(Table(["FIELD", "CONTENT"], rows))]
    }
}

/// `plimsoll blame`: where each field has its content from.
struct BlameCommand: ReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "blame",
        abstract: "Show who last changed each field, who approved it, and why.",
        discussion: """
            Examples:
              plimsoll blame
              plimsoll blame --platform ios --event 42 --json
            """
    )

    @OptionGroup var app: AppOption
    @OptionGroup var moment: MomentOptions
    @OptionGroup var common: CommonOptions
    @Option(help: "One platform; all of the app's without it.")
    var platform: Platform?

    func report(_ client: AdminClient, _ output: Output) async throws -> Report {
        let app = try await app.resolve(client)
        let people = await output.people(client)
        var answers: [BlameAnswer] = []
        for platform in app.documentPlatforms(platform) {
            answers.append(
                try await client.call(
                    Endpoints.blameDocument,
                    AppPlatform(app.slug, platform),
                    moment.moment.query
                )
            )
        }
        return report(answers, people)
    }

    private func report(_ answers: [BlameAnswer], _ people: People) -> Report {
        let json: JSONObject =
            answers.count == 1 ? answers[0].json : ["documents": JSONValue(answers)]
        let blocks = answers.flatMap { answer in
            [
                Report.Block.line(
                    "\(answer.app) on \(answer.platform.name), at event \(answer.position)"
                ),
                answer.lines.isEmpty
                    ? .line("Nothing is set; every version is fine.")
                    : .table(table(answer, people)),
            ]
        }
        return Report(json, blocks)
    }

    private func table(_ answer: BlameAnswer, _ people: People) -> Table {
        let lines = answer.lines.sorted { Field.precedesInReading($0.field, $1.field) }
        let rows = lines.map { line in
            [
                line.field.path.split(separator: ".").dropFirst().joined(separator: "."),
                excerpt(line.value.description, 40), line.event.description, line.since.rfc3339,
                people.name(line.origin.author),
                line.origin.approval(people),
                line.origin.change?.description ?? "", excerpt(line.origin.reason ?? "", 40),
            ]
        }
        let heads = ["FIELD", "CONTENT", "EVENT", "SINCE", "WHO", "APPROVED", "CHANGE", "WHY"]
        return Table(heads, rows)
    }
}

extension FieldOrigin {
    /// Who approved it, or why nobody had to.
    func approval(_ people: People) -> String {
        guard approvers.isEmpty else {
            return approvers.map(people.name).joined(separator: ", ")
        }
        return switch kind {
        case .change: ""
        case .emergency: "nobody: emergency \(excerpt(incident ?? "", 24))"
        case .rollback: "nobody: rollback"
        }
    }
}
