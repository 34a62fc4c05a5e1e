import Hummingbird
import PlimsollAPI
import PlimsollDomain

/// What an app has a page for.
enum AppPlace: String, CaseIterable {
    case overview
    case propose
    case preview
    case releases
    case history
    case rollback
    case block
    case settings
    case policy

    fileprivate func isFor(_ reader: Offers, in app: AppSlug) -> Bool {
        switch self {
        case .propose: [.proposer, .responder].contains { reader.has($0, in: .app(app)) }
        case .rollback, .block: reader.has(.responder, in: .app(app))
        case .overview, .preview, .releases, .history, .settings, .policy: true
        }
    }

    fileprivate func address(in app: AppSlug) -> String {
        switch self {
        case .overview: "/?app=\(app)"
        case .history: "/history?app=\(app)"
        case .propose, .preview, .releases, .rollback, .block, .settings, .policy: path(in: app)
        }
    }

    fileprivate func path(in app: AppSlug) -> String {
        switch self {
        case .overview: "/"
        case .history: "/history"
        case .propose, .preview, .releases, .rollback, .block, .settings, .policy:
            "/apps/\(app)/\(rawValue)"
        }
    }
}

extension Visit {
    /// What the partial `app-nav` shows: every page of the app, and which of them this is.
    func navigation(of app: AppSlug) -> Fields {
        [
            "slug": app.text,
            "places": AppPlace.allCases.filter { $0.isFor(offers, in: app) }.map {
                Fields(all: [
                    "name": language["appNav.\($0.rawValue)"], "address": $0.address(in: app),
                    "isOpen": request.uri.path == $0.path(in: app),
                ])
            },
        ]
    }
}
