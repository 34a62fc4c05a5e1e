import Hummingbird
import PlimsollAPI
import PlimsollDomain

/// Proposing a change, revising one, or applying edits at once as an emergency.
///
/// There is one form for each platform.
enum ProposeScreen {
    static let routes: [Route] = [
        .page("/apps/:app/propose", page),
        .act("/apps/:app/propose", on: page) { visit in
            let (form, edits) = try await visit.edits()
            guard visit.form["look"] == nil else {
                return .page(try await page(visit, checked: try await visit.dryRun(form, edits)))
            }
            let change = try await visit.propose(form, edits, visit.write)
            let done = visit.editedChange == nil ? "propose" : "revise"
            return .moved(to: "/changes/\(change.summary.id)?done=\(done)")
        },
        .act("/apps/:app/emergency", on: page) { visit in
            let (form, edits) = try await visit.edits()
            let emergency = EmergencyForm(
                title: try visit.needed("title", Title.init(validating:)),
                reason: try visit.reason("reason"),
                incident: try visit.needed("incident", Title.init(validating:)),
                base: form.base,
                operations: edits
            )
            let answer = try await visit.rest.call(
                Endpoints.declareEmergency,
                try visit.app,
                emergency,
                visit.write
            )
            return .moved(to: visit.receipt(of: answer.app, answer.sequence, answer.position))
        },
    ]

    static func page(_ visit: Visit) async throws -> Page {
        try await page(visit, checked: nil)
    }

    private static func page(_ visit: Visit, checked: ChangeAnswer?) async throws -> Page {
        let form = try await visit.proposeForm()
        let change = form.change
        let names = try await visit.names()
        let slug = form.app.slug.text
        let schedule = change?.summary.schedule?.schedule
        let title = change.map { visit.language("propose.revising", ["change": $0.summary.id]) }
        return Page(
            "propose",
            title ?? visit.language("propose.title", ["app": form.app.settings.name.text]),
            [
                "slug": slug, "platform": form.platform.rawValue, "base": form.base.description,
                "thresholds": form.fields(visit),
                "platforms": form.app.settings.platforms.map { platform in
                    Fields(present: [
                        "name": platform.name, "isOpen": platform == form.platform,
                        "address": "/apps/\(slug)/propose?platform=\(platform.rawValue)"
                            + (change.map { "&change=\($0.summary.id)" } ?? ""),
                    ])
                },
                "change": change?.summary.id.description,
                "digest": change?.digest?.hex,
                "conflicts": change?.conflicts.map { visit.choice(of: $0, names) },
                "hasConflicts": change.map { !$0.conflicts.isEmpty },
                "titleText": visit.form["title"] ?? visit.query["title"]
                    ?? change?.summary.title.text,
                "reasonText": visit.form["reason"] ?? visit.query["reason"] ?? change?.reason?.text,
                "incident": visit.form["incident"],
                "isEmergency": visit.form["incident"] != nil
                    || visit.request.uri.path.hasSuffix("/emergency"),
                "at": visit.form["at"] ?? schedule?.at?.rfc3339,
                "until": visit.form["until"] ?? schedule?.until?.rfc3339,
                "zone": visit.form["zone"] ?? schedule?.timeZone.text ?? "UTC",
                "isScheduled": visit.form["at"] != nil || visit.form["until"] != nil
                    || schedule != nil,
                "operations": visit.form["operations"],
                "checked": checked.map { visit.fields(ofChecked: $0, names) },
            ]
        )
    }
}

extension Visit {
    /// The change that is revised, if one is.
    var editedChange: ChangeID? {
        (form["change"] ?? query["change"]).flatMap(ChangeID.init(typed:))
    }

    fileprivate func proposeForm() async throws -> ProposeForm {
        let app = try await rest.call(Endpoints.getApp, try self.app)
        var change: ChangeAnswer?
        if let id = editedChange { change = try await rest.call(Endpoints.getChange, id) }
        let named = (form["platform"] ?? query["platform"]).flatMap(Platform.init(rawValue:))
        let platform = named ?? change?.effect.first?.field.platform ?? app.settings.platforms.first
        guard let platform, app.settings.platforms.contains(platform) else {
            throw refusal(of: "platform", nil)
        }
        let base = try optional("base", Position.init(typed:))
        let blame = try await rest.call(
            Endpoints.blameDocument,
            AppPlatform(app.slug, platform),
            (base.map(DocumentMoment.event) ?? .live).query
        )
        let standing = Dictionary(blame.lines.map { ($0.field, $0.value) }) { first, _ in first }
        return ProposeForm(
            app: app,
            platform: platform,
            base: base ?? blame.position,
            standing: standing,
            change: change
        )
    }

    /// What was typed, as edits of the state that it was typed on.
    fileprivate func edits() async throws -> (ProposeForm, [Operation]) {
        let form = try await proposeForm()
        let operations = try form.operations(typed: self)
        guard !operations.isEmpty else { throw refusal(of: "edits", nil) }
        return (form, operations)
    }

    fileprivate func dryRun(_ form: ProposeForm, _ edits: [Operation]) async throws -> ChangeAnswer
    {
        try await propose(form, edits, WriteOptions(.dryRun))
    }

    fileprivate func propose(
        _ form: ProposeForm,
        _ edits: [Operation],
        _ write: WriteOptions
    ) async throws -> ChangeAnswer {
        let title = try title
        let reason = try optional("reason", Reason.init(validating:))
        guard let id = editedChange else {
            let proposal = ProposalForm(
                title: title,
                reason: reason,
                base: form.base,
                operations: edits,
                schedule: try schedule()
            )
            return try await rest.call(Endpoints.proposeChange, form.app.slug, proposal, write)
        }
        let revision = RevisionForm(
            title: title,
            reason: reason,
            base: form.base,
            operations: edits,
            schedule: try schedule(),
            resolve: conflictChoices
        )
        let seen = try needed("digest") { ChangeDigest(hex: $0) }
        return try await rest.call(Endpoints.reviseChange, id, seen: seen, revision, write)
    }

    /// What is only checked may have none yet.
    private var title: Title {
        get throws {
            guard form["look"] != nil, form["title"] == nil else {
                return try needed("title", Title.init(validating:))
            }
            return try Title(validating: language["propose.untitled"])
        }
    }

    private var conflictChoices: [Field: ConflictChoice] {
        let pairs = form.pairs.compactMap { name, value -> (Field, ConflictChoice)? in
            guard name.hasPrefix("resolve."), let field = Field(path: String(name.dropFirst(8))),
                let choice = ConflictChoice(rawValue: value)
            else { return nil }
            return (field, choice)
        }
        return Dictionary(pairs) { first, _ in first }
    }

    fileprivate func choice(of conflict: FieldConflict, _ names: Names) -> Fields {
        Fields(present: [
            "path": conflict.field.path,
            "name": conflict.field.longName(language),
            "base": conflict.base?.description, "live": conflict.live?.description,
            "by": names(conflict.write.actor), "at": time(conflict.write.recordedAt),
        ])
    }

    fileprivate func fields(ofChecked change: ChangeAnswer, _ names: Names) -> Fields {
        Fields(present: [
            "sentences": change.effect.map(\.sentence), "hasNoEffect": change.effect.isEmpty,
            "effect": change.effect.map { $0.fields(self, [:], names) },
            "checks": change.checks.map { check in
                Fields(present: [
                    "sentence": check.finding.sentence, "isBlocking": check.severity == .refuse,
                ])
            },
            "missing": change.course.missing.map { missing in
                missing.missing.requirement.words(naming: names.callAsFunction)
            },
            "notes": change.notes.map(\.detail),
            "blocked": fields(of: change.blocked),
            "fromName": language["table.live"], "toName": language["table.proposedValue"],
        ])
    }
}
