import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// An app's settings: what is in force, since when and by whom, and how they are changed.
///
/// Nothing comes into force that was not tried, and shown as a difference, before.
enum SettingsScreen {
    static let routes: [Route] = [
        .page("/apps/:app/settings") { try await page($0) },
        .act("/apps/:app/settings/preview", on: { try await page($0) }) { visit in
            .page(try await preview(visit))
        },
        .act("/apps/:app/settings/apply", on: { try await page($0) }, isSensitive: true) { visit in
            _ = try await visit.rest.call(
                Endpoints.changeSettings,
                try visit.app,
                seen: try visit.seen,
                try visit.settingsForm,
                visit.write
            )
            return .moved(to: "/apps/\(try visit.app)/settings?done=settings-apply")
        },
    ]

    private static func preview(_ visit: Visit) async throws -> Page {
        let form = try visit.settingsForm
        let tried = try await visit.rest.call(
            Endpoints.changeSettings,
            try visit.app,
            seen: try visit.seen,
            form,
            visit.write.dryRun()
        )
        let inForce = try await visit.rest.call(Endpoints.getSettings, try visit.app).settings
        return try await page(
            visit,
            [
                "differences": inForce.differences(to: form.settings).map {
                    visit.wording(nil).fields(of: $0)
                },
                "isPublished": !SettingsEffect(from: inForce, to: form.settings).isEmpty,
                "refusedBy": tried.refusedBy.map { visit.fields(of: $0) },
            ]
        )
    }

    private static func page(_ visit: Visit, _ preview: Fields? = nil) async throws -> Page {
        let settings = try await visit.rest.call(Endpoints.getSettings, try visit.app)
        let names = try await visit.names()
        var page = Page("settings", visit.language("settings.of", ["app": settings.app]))
        page.fields = visit.inputs(of: settings.settings)
        let more = Fields(all: [
            "app": settings.app.text, "by": names(settings.by),
            "since": visit.time(settings.since) as Fields,
            "because": settings.reason?.text, "seen": settings.position?.description,
            "told": settings.settings.told.map { part in
                Fields(all: [
                    "subject": visit.wording(names)(part.subject, as: .clause), "words": part.words,
                ])
            },
            "refusedNow": settings.refusedBy.map { visit.fields(of: $0) },
            "hasRefusedNow": !settings.refusedBy.isEmpty,
            "settingsReason": visit.form["settingsReason"], "preview": preview,
        ])
        page.fields.merge(more) { $1 }
        return page
    }
}

extension Visit {
    /// Whose apps keep their last document, and why.
    func fields(of refuser: SimulationAnswer.Refuser) -> Fields {
        [
            "client": refuser.client,
            "versions": wording(nil)(refuser.versions, as: .phrase),
            "why": wording(nil)(refuser.because, as: .phrase),
        ]
    }
}

extension Visit {
    fileprivate var settingsForm: SettingsForm {
        get throws {
            var json = try settingsJSON
            json["reason"] = JSONValue(form["settingsReason"])
            return try read(SettingsForm.self, json)
        }
    }
}
