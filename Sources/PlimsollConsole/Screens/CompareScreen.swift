import PlimsollAPI
import PlimsollDomain

/// What is different between two states of an app.
enum CompareScreen {
    static let routes: [Route] = [.page("/apps/:app/compare", page)]

    static func page(_ visit: Visit) async throws -> Page {
        let app = try await visit.rest.call(Endpoints.getApp, try visit.app)
        let choice = try await StateChoice(of: app.slug, visit)
        var page = Page("compare", "\(visit.language["compare.title"]): \(app.settings.name.text)")
        page.fields["slug"] = app.slug.text
        var (from, to): (StateName?, StateName?)
        do {
            (from, to) = (try visit.state("from"), try visit.state("to"))
            if let from, let to {
                page.fields.merge(try await visit.difference(of: app.slug, from, to)) { $1 }
            }
        } catch let error as AdminError {
            try await visit.tell(error, on: &page)
        }
        page.fields["fromGroups"] = ["groups": choice.groups(chosen: from)]
        page.fields["toGroups"] = ["groups": choice.groups(chosen: to ?? .live)]
        return page
    }
}

extension Visit {
    fileprivate func difference(
        of app: AppSlug,
        _ from: StateName,
        _ to: StateName
    ) async throws -> Fields {
        let diff = try await rest.diff(of: app, from: from, to: to)
        let names = try await names()
        let states = FormFields([("from", from.text), ("to", to.text)])
        let swapped = FormFields([("from", to.text), ("to", from.text)])
        return Fields(all: [
            "isCompared": true, "isSame": diff.changes.isEmpty,
            "fromName": words(for: from), "toName": words(for: to),
            "fromPosition": diff.from.position.description,
            "toPosition": diff.to.position.description,
            "sentences": diff.changes.prefix(12).map { $0.sentence(language) },
            "effect": diff.changes.map { $0.fields(self, [:], names) },
            "blocked": fields(of: diff.blocked),
            "previewAddress": "/apps/\(app)/preview?\(states.encoded)",
            "swappedAddress": "/apps/\(app)/compare?\(swapped.encoded)",
        ])
    }
}
