import PlimsollAPI
import PlimsollDomain

/// Looks whether what is live has texts in two languages that phones take for one.
struct LanguageCheck {
    let client: AdminClient

    /// One finding that all is well, or one for each document that is not.
    func findings(_ apps: [AppAnswer]) async -> [Finding] {
        var findings: [Finding] = []
        do {
            for app in apps {
                for platform in app.settings.platforms.sorted() where !platform.thresholds.isEmpty {
                    let document = try await client.document(of: app.slug, on: platform).parsed()
                    findings += Self.findings(of: document, of: app.slug)
                }
            }
        } catch {
            return [.bad("languages", error, "Look again.")]
        }
        return findings.isEmpty
            ? [.good("languages", "phones tell those of every document apart")] : findings
    }

    static func findings(of document: Document, of app: AppSlug) -> [Finding] {
        document.languageTwins.map { twins in
            .bad(
                "languages",
                "\(app) on \(document.platform.name) has texts in \(twins), which phones take for one"
                    + " language: \(LanguageTwins.harm)",
                "Remove every text in one of them: plimsoll propose --app \(app) --remove-text"
                    + " \(Self.field(in: document, twins.second))"
            )
        }
    }

    private static func field(in document: Document, _ language: LanguageTag) -> String {
        document.fields.first { $0.language == language }?.path ?? "…"
    }
}
