import Hummingbird
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// An edit as it is asked for, and the control that it was typed in, if it was.
struct TypedOperation {
    let operation: Operation
    let control: String?

    init(_ operation: Operation, in control: String?) {
        (self.operation, self.control) = (operation, control)
    }
}

/// What was typed for all platforms of an app, of which the page shows one at a time.
struct ProposedEdits {
    let app: AppAnswer
    /// The change that is revised, if one is.
    let change: ChangeAnswer?
    /// What everything is held against.
    let base: Position
    let shown: ProposeForm
    /// Those of the platforms that are not shown and for which something was typed.
    let others: [ProposeForm]
    /// A name that was sent, or stands in the address, and is that of no field.
    let unknown: String?

    func operations(typed visit: Visit) throws -> [TypedOperation] {
        if let unknown { throw visit.refusal(ofUnknown: unknown) }
        let forms = [shown] + others
        let typed = try forms.flatMap { try $0.operations(typed: visit) }
        let (further, kept) = (try visit.furtherOperations(), kept(beside: forms.map(\.platform)))
        return typed.map { TypedOperation($0, in: $0.field?.path) }
            + further.map { TypedOperation($0, in: "operations") }
            + kept.map { TypedOperation($0, in: nil) }
    }

    /// What a revised change says of what is in no form.
    private func kept(beside platforms: [Platform]) -> [Operation] {
        change?.operations.filter { operation in
            operation.threshold == nil || !platforms.contains(operation.platform)
        } ?? []
    }
}

extension Visit {
    /// The change that is revised, if one is.
    var editedChange: ChangeID? {
        (form["change"] ?? query["change"]).flatMap(ChangeID.init(typed:))
    }

    func proposedEdits() async throws -> ProposedEdits {
        let app = try await rest.call(Endpoints.getApp, try self.app)
        var change: ChangeAnswer?
        if let id = editedChange { change = try await rest.call(Endpoints.getChange, id) }
        let prefill = try await prefill(in: app.slug)
        let named = (form["show"] ?? form["platform"] ?? query["platform"])
            .flatMap(Platform.init(rawValue:))
        let platforms = app.settings.platforms
        let platform =
            named ?? change?.effect.first?.field.platform
            ?? platforms.first { isNamed($0, in: prefill) } ?? platforms.first
        guard let platform, platforms.contains(platform) else {
            throw refusal(of: "platform", nil)
        }
        let base = try optional("base", Position.init(typed:))
        let shown = try await proposeForm(app, platform, change, prefill, at: base)
        var others: [ProposeForm] = []
        var known = shown.names
        for other in platforms where other != platform {
            guard isNamed(other, in: form) || isNamed(other, in: prefill) else { continue }
            let form = try await proposeForm(app, other, change, prefill, at: shown.base)
            known.formUnion(form.names)
            if form.isTouched(self) { others.append(form) }
        }
        // A language may have been taken away while the form was open.
        let unknown = (form.pairs + prefill.pairs).filter { !$0.value.isEmpty }.map(\.name)
            .first { name in
                Platform.allCases.contains { name.hasPrefix("\($0.rawValue).") }
                    && !known.contains(name)
            }
        return ProposedEdits(
            app: app,
            change: change,
            base: shown.base,
            shown: shown,
            others: others,
            unknown: unknown
        )
    }

    fileprivate func refusal(ofUnknown name: String) -> AdminError {
        AdminError(.refused(problem(ofUnknown: name)), url: request.uri.path)
    }

    func problem(ofUnknown name: String) -> Problem {
        Problem(.invalidRequest, detail: language("propose.unknown", ["field": excerpt(name)]))
    }

    private func isNamed(_ platform: Platform, in fields: FormFields) -> Bool {
        fields.pairs.contains { $0.name.hasPrefix("\(platform.rawValue).") }
    }

    private func proposeForm(
        _ app: AppAnswer,
        _ platform: Platform,
        _ change: ChangeAnswer?,
        _ prefill: FormFields,
        at base: Position?
    ) async throws -> ProposeForm {
        let blame = try await rest.call(
            Endpoints.blameDocument,
            AppPlatform(app.slug, platform),
            (base.map(DocumentMoment.event) ?? .live).query
        )
        return ProposeForm(
            app: app,
            platform: platform,
            base: base ?? blame.position,
            standing: Dictionary(blame.lines.map { ($0.field, $0.value) }) { first, _ in first },
            change: change,
            prefill: prefill
        )
    }

    /// What the address says, and what an event wrote that it names: as it wrote it with
    /// `from=event:12`, as it stood there before with `from=before:12`.
    private func prefill(in app: AppSlug) async throws -> FormFields {
        let parts = query["from"]?.split(separator: ":") ?? []
        guard parts.count == 2, ["event", "before"].contains(parts[0]) else { return query }
        guard let position = Position(typed: String(parts[1])) else {
            throw refusal(of: "event", String(parts[1]))
        }
        let event = try await event(at: position)
        guard event.app == app else { return query }
        let written = event.fields.map { change in
            let value = parts[0] == "event" ? change.after : change.before
            return (name: change.field.path, value: value?.description ?? "")
        }
        return FormFields(query.pairs + written)
    }

    /// Edits of what has no field in the form, as the interface takes them.
    fileprivate func furtherOperations() throws -> [Operation] {
        guard let text = form["operations"] else { return [] }
        do {
            var reader = ObjectReader(["operations": try JSONValue(parsing: Array(text.utf8))])
            let operations = reader.objects("operations") { Operation(&$0) }
            return try reader.finish { operations }
        } catch let issues as JSONIssues {
            throw AdminError(.refused(Problem(issues)), url: "")
        } catch {
            throw refusal(of: "operations", text, "\(error)")
        }
    }
}
