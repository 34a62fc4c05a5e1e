import Hummingbird
import PlimsollAPI
import PlimsollDomain

/// Proposing a change, revising one, or applying edits at once as an emergency.
///
/// There is one form for each platform, and one change of what was typed in all of them.
enum ProposeScreen {
    static let routes: [Route] = [
        .page("/apps/:app/propose", page),
        .act("/apps/:app/propose", on: page) { visit in
            // Going to another platform is no sending: what was typed comes along.
            guard visit.form["show"] == nil else { return .page(try await page(visit)) }
            let (form, edits) = try await visit.edits()
            guard visit.form["look"] == nil else {
                let change = try await visit.dryRun(form, edits)
                let outcome = visit.fields(ofChecked: change, try await visit.names())
                return .page(try await page(visit, checked: outcome))
            }
            let change = try await visit.propose(form, edits, visit.write)
            let proposed = change.course.missing.isEmpty ? "propose-free" : "propose"
            let done = visit.editedChange == nil ? proposed : "revise"
            return .moved(to: "/changes/\(change.summary.id)?done=\(done)")
        },
        .act("/apps/:app/emergency", on: page) { visit in
            guard visit.form["show"] == nil else { return .page(try await page(visit)) }
            let isTrial = visit.form["look"] != nil
            let answer = try await visit.rest.call(
                Endpoints.declareEmergency,
                try visit.app,
                try await visit.emergency(),
                isTrial ? WriteOptions(.dryRun) : visit.write
            )
            guard !isTrial else {
                let outcome = visit.fields(ofEmergency: answer, try await visit.names())
                return .page(try await page(visit, checked: outcome))
            }
            return .moved(to: await visit.receipt(of: answer))
        },
    ]

    static func page(_ visit: Visit) async throws -> Page {
        try await page(visit, checked: nil)
    }

    private static func page(_ visit: Visit, checked: Fields?) async throws -> Page {
        let form = try await visit.proposedEdits()
        let change = form.change
        let names = try await visit.names()
        let title = change.map { visit.language("propose.revising", ["change": $0.summary.id]) }
        var page = Page(
            "propose",
            title ?? visit.language("propose.title", ["app": form.app.settings.name.text]),
            [
                "slug": form.app.slug.text, "platform": form.shown.platform.rawValue,
                "base": form.base.description, "thresholds": form.shown.fields(visit),
                "platforms": form.app.settings.platforms.map { platform in
                    Fields(all: [
                        "platform": platform.rawValue, "name": platform.name,
                        "isOpen": platform == form.shown.platform,
                        "isTyped": form.others.contains { $0.platform == platform },
                    ])
                },
                "carried": form.others.flatMap { $0.carried(visit) },
                "change": change?.summary.id.description,
                "digest": change?.digest?.hex,
                "conflicts": change?.conflicts.map { visit.choice(of: $0, names) },
                "hasConflicts": change.map { !$0.conflicts.isEmpty },
                "checked": checked,
            ]
        )
        page.fields.merge(visit.fieldsAround(change)) { $1 }
        if let problem = visit.problem ?? form.unknown.map(visit.problem(ofUnknown:)) {
            var wording = visit.wording(names)
            wording.operations = (try? form.operations(typed: visit)) ?? []
            page.fields["problem"] = wording.fields(of: problem)
        }
        // Who may only act alone is asked for an incident, and proposes nothing.
        let app = Scope.app(form.app.slug)
        page.fields["isAlone"] =
            visit.offers.has(.responder, in: app) && !visit.offers.has(.proposer, in: app)
        return page
    }
}

extension Visit {
    /// What a form has beside its edits: what was typed, else what an address prefills, else what the
    /// change says that is revised.
    fileprivate func fieldsAround(_ change: ChangeAnswer?) -> Fields {
        let schedule = change?.summary.schedule
        let typed = { (name: String) in form[name] ?? query[name] }
        return Fields(all: [
            "titleText": typed("title") ?? change?.summary.title.text,
            "reasonText": typed("reason") ?? change?.reason?.text,
            "incident": typed("incident"),
            "isEmergency": typed("incident") != nil
                || request.uri.path.hasSuffix("/emergency"),
            "at": typed("at") ?? schedule?.at?.rfc3339,
            "until": typed("until") ?? schedule?.until?.rfc3339,
            "zone": typed("zone") ?? schedule?.timeZone.text ?? "UTC",
            "isScheduled": typed("at") != nil || typed("until") != nil || schedule != nil,
            "operations": typed("operations"), "isFurther": typed("operations") != nil,
        ])
    }

    /// What was typed, as edits of the state that it was typed on.
    fileprivate func edits() async throws -> (ProposedEdits, [Operation]) {
        let form = try await proposedEdits()
        let operations = try form.operations(typed: self).map(\.operation)
        guard !operations.isEmpty else { throw refusal(of: "edits", nil) }
        return (form, operations)
    }

    fileprivate func dryRun(
        _ form: ProposedEdits,
        _ edits: [Operation]
    ) async throws -> ChangeAnswer {
        try await propose(form, edits, WriteOptions(.dryRun))
    }

    fileprivate func propose(
        _ form: ProposedEdits,
        _ edits: [Operation],
        _ write: WriteOptions
    ) async throws -> ChangeAnswer {
        let title = try title("title")
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
            schedule: try schedule(revising: form.change),
            resolve: conflictChoices
        )
        let seen = try needed("digest") { ChangeDigest(hex: $0) }
        return try await rest.call(Endpoints.reviseChange, id, seen: seen, revision, write)
    }

    /// When a revised change is to be applied; `nil` keeps what it says, and so takes no time away.
    private func schedule(revising change: ChangeAnswer?) throws -> Schedule? {
        let written = try schedule()
        if written == nil, form.has("at"), change?.summary.schedule != nil {
            throw refusal(of: "at", nil)
        }
        return written
    }

    /// What is only looked at may have none yet.
    private func title(_ name: String) throws -> Title {
        guard form["look"] != nil, form[name] == nil else {
            return try needed(name, Title.init(validating:))
        }
        return try Title(validating: language["propose.untitled"])
    }

    fileprivate func emergency() async throws -> EmergencyForm {
        let (edited, edits) = try await edits()
        let isReasonOpen = form["look"] != nil && form["reason"] == nil
        return EmergencyForm(
            title: try title("title"),
            reason: isReasonOpen
                ? try Reason(validating: language["propose.untitled"]) : try reason("reason"),
            incident: try title("incident"),
            base: edited.base,
            operations: edits
        )
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

    func choice(of conflict: FieldConflict, _ names: Names) -> Fields {
        Fields(all: [
            "path": conflict.field.path,
            "name": conflict.field.longName(language),
            "isMine": conflictChoices[conflict.field] == .mine,
            "isTheirs": conflictChoices[conflict.field] == .theirs,
            "base": conflict.base?.shown, "live": conflict.live?.shown,
            "isText": conflict.field.isLong,
            "by": names(conflict.write.actor), "at": time(conflict.write.recordedAt),
        ])
    }

    /// As on the page of a block, save that checks stand here as those of a change do.
    fileprivate func fields(ofEmergency answer: EmergencyAnswer, _ names: Names) -> Fields {
        let own = Fields(all: [
            "hasNoEffect": answer.changes.isEmpty, "missing": nil,
            "checks": answer.checks.map {
                ["sentence": wording(names)($0.sentence, as: .finding), "isBlocking": false]
            },
        ])
        return fields(of: answer, names).merging(own) { $1 }
    }

    fileprivate func fields(ofChecked change: ChangeAnswer, _ names: Names) -> Fields {
        Fields(all: [
            "sentences": change.effect.map { $0.sentence(language) },
            "hasNoEffect": change.effect.isEmpty,
            "checks": change.checks.map { check in
                Fields(all: [
                    "sentence": wording(names)(check.finding.sentence, as: .finding),
                    "isBlocking": check.rule.severity == .refuse,
                ])
            },
            "missing": change.course.missing.map { wording(names)($0.missing.requirement) },
            "textsMissing": nil, "review": nil,
            "notes": change.notes.map { wording(names)($0.detail, as: .note) },
            "blocked": fields(of: change.blocked),
            "fromName": language["table.live"], "toName": language["table.proposedValue"],
        ])
    }
}
