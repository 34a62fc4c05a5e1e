import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// Which app is meant.
struct AppOption: ParsableArguments {
    @Option(help: "The app's slug (default: PLIMSOLL_APP, or the only app).")
    var app: AppSlug?

    init() {}

    init(app: AppSlug?) {
        self.app = app
    }

    /// Whether nobody named one.
    var isOpen: Bool { app == nil && environment["PLIMSOLL_APP"].isEmptyOrMissing }

    /// Its slug: one request fewer at three in the morning where it is named.
    func slug(_ client: AdminClient) async throws -> AppSlug {
        if let named = try named() { return named }
        return try await resolve(client).slug
    }

    /// The one that is named, here or in the environment.
    func named() throws -> AppSlug? {
        if let app { return app }
        guard let text = environment["PLIMSOLL_APP"], !text.isEmpty else { return nil }
        guard let slug = AppSlug(text) else {
            throw Failure(
                .usage,
                "PLIMSOLL_APP is \"\(legible(text))\"; it needs to be \(AppSlug.grammar)."
            )
        }
        return slug
    }

    /// The app, as it stands now.
    func resolve(_ client: AdminClient) async throws -> AppAnswer {
        if let named = try named() { return try await client.call(Endpoints.getApp, named) }
        let apps = try await client.call(Endpoints.listApps).apps
        guard let only = apps.first else {
            throw Failure(
                .failed,
                "There is no app yet, or none that you may see.",
                next: "plimsoll apps register --help"
            )
        }
        guard apps.count == 1 else {
            let names = apps.map(\.slug.text).joined(separator: ", ")
            throw Failure(
                .usage,
                "There are several apps: \(names).",
                next: "the same command with --app \(only.slug)"
            )
        }
        return only
    }
}

extension AppAnswer {
    /// The platforms that have an availability document.
    var documentPlatforms: [Platform] {
        settings.platforms.filter { !$0.thresholds.isEmpty }.sorted()
    }

    /// Those that were asked for, or all.
    func documentPlatforms(_ wanted: Platform?) -> [Platform] {
        wanted.map { [$0] } ?? documentPlatforms
    }
}
