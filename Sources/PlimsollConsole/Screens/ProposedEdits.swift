import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

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

    func operations(typed visit: Visit) throws -> [Operation] {
        let forms = [shown] + others
        let typed = try forms.flatMap { try $0.operations(typed: visit) }
        return typed + (try visit.furtherOperations()) + kept(beside: forms.map(\.platform))
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
        let named = (form["show"] ?? form["platform"] ?? query["platform"])
            .flatMap(Platform.init(rawValue:))
        let platforms = app.settings.platforms
        let platform =
            named ?? change?.effect.first?.field.platform
            ?? platforms.first { isNamed($0, in: query) } ?? platforms.first
        guard let platform, platforms.contains(platform) else {
            throw refusal(of: "platform", nil)
        }
        let base = try optional("base", Position.init(typed:))
        let shown = try await proposeForm(app, platform, change, at: base)
        var others: [ProposeForm] = []
        for other in platforms where other != platform {
            guard isNamed(other, in: form) || isNamed(other, in: query) else { continue }
            let form = try await proposeForm(app, other, change, at: shown.base)
            if form.isTouched(self) { others.append(form) }
        }
        return ProposedEdits(
            app: app,
            change: change,
            base: shown.base,
            shown: shown,
            others: others
        )
    }

    private func isNamed(_ platform: Platform, in fields: FormFields) -> Bool {
        fields.pairs.contains { $0.name.hasPrefix("\(platform.rawValue).") }
    }

    private func proposeForm(
        _ app: AppAnswer,
        _ platform: Platform,
        _ change: ChangeAnswer?,
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
            change: change
        )
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
