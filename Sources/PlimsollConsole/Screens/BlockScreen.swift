import PlimsollAPI
import PlimsollDomain

/// Blocking all versions below one, at once: looked at first, and done with the same form.
enum BlockScreen {
    static let routes: [Route] = [
        .page("/apps/:app/block", { try await page($0, looked: nil) }),
        .act("/apps/:app/block", on: { try await page($0, looked: nil) }) { visit in
            let form = try visit.blockForm()
            let isTrial = visit.form["look"] != nil
            let answer = try await visit.rest.call(
                Endpoints.blockVersion,
                try visit.app,
                form,
                isTrial ? WriteOptions(.dryRun) : visit.write
            )
            guard !isTrial else { return .page(try await page(visit, looked: answer)) }
            return .moved(to: await visit.receipt(of: answer))
        },
    ]

    private static func page(_ visit: Visit, looked: EmergencyAnswer?) async throws -> Page {
        let app = try await visit.rest.call(Endpoints.getApp, try visit.app)
        let names = try await visit.names()
        let chosen = visit.form["platform"] ?? visit.query["platform"]
        return Page(
            "block",
            visit.language("block.title", ["app": app.settings.name.text]),
            [
                "slug": app.slug.text,
                "platforms": app.settings.platforms.map { platform in
                    Fields(all: [
                        "platform": platform.rawValue, "name": platform.name,
                        "isChosen": platform.rawValue == chosen,
                    ])
                },
                "below": visit.form["below"] ?? visit.query["below"],
                "reasonText": visit.form["reason"], "incident": visit.form["incident"],
                "texts": app.settings.languages.map { language in
                    Fields(all: [
                        "language": language.text, "value": visit.form["text.\(language.text)"],
                    ])
                },
                "minima": try await visit.minima(of: app),
                "outlook": looked.map { answer in
                    visit.fields(of: answer, names).merging([
                        "effect": answer.changes.map { $0.fields(visit, [:], names) }
                    ]) { $1 }
                },
                "shown": visit.form.typed.without("look").fields,
            ]
        )
    }
}

extension Visit {
    fileprivate func blockForm() throws -> BlockForm {
        let platform = try needed("platform", Platform.init(rawValue:))
        var texts: TextsByLanguage = [:]
        for (name, _) in form.pairs where name.hasPrefix("text.") {
            guard let tag = LanguageTag(String(name.dropFirst(5))) else { continue }
            let words = Field(platform, .minimumApp, .text(.description, tag)).name(language)
            if let text = try optional(name, called: words, Text.init(validating:)) {
                texts[.description, default: [:]][tag] = text
            }
        }
        return BlockForm(
            platform: platform,
            below: try version("below", on: platform),
            texts: texts,
            reason: try reason("reason"),
            incident: try optional("incident", Title.init(validating:))
        )
    }

    /// What is live on each platform now.
    fileprivate func minima(of app: AppAnswer) async throws -> [Fields] {
        var minima: [Fields] = []
        for platform in app.settings.platforms {
            let place = AppPlatform(app.slug, platform)
            let lines = try await rest.call(Endpoints.blameDocument, place).lines
            let field = Field(platform, .minimumApp, .value)
            let value = lines.first { $0.field == field }?.value.description
            minima.append(["name": platform.name, "value": value ?? language["table.notSet"]])
        }
        return minima
    }

    /// What an emergency would do, in sentences.
    func fields(of answer: EmergencyAnswer, _ names: Names) -> Fields {
        Fields(all: [
            "sentences": answer.changes.map { $0.sentence(language) },
            "overtaken": answer.overtaken.map(\.description),
            "stays": answer.stays.map { change in
                [
                    "field": change.field.longName(language),
                    "value": change.before?.shown ?? language["table.notSet"],
                ]
            },
            "textsMissing": answer.textsMissing.map { $0.longName(language) },
            "checks": answer.checks.map { wording(names)($0.sentence, as: .finding) },
            "notes": answer.notes.map { wording(names)($0.detail, as: .note) },
            "blocked": fields(of: answer.blocked),
            "fromName": language["table.now"], "toName": language["table.after"],
            "review": fields(of: answer.review.order, names),
        ])
    }

    func fields(of review: ReviewOrder, _ names: Names) -> Fields {
        [
            "role": language["roles.\(review.role.rawValue).name"], "due": time(review.due),
            "owner": names(review.owner),
        ]
    }
}
