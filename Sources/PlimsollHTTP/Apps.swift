import Hummingbird
import PlimsollAPI
import PlimsollDomain
import PlimsollService
import PlimsollStore

/// `/v1/apps`: what is kept above the line.
struct AppController {
    let useCases: UseCases

    var handlers: [EndpointHandler<CallerContext>] {
        [
            .write(Endpoints.registerApp, at: { "/v1/apps/\($0.slug)" }) { call in
                try await useCases.registerApp(call.form, call.write)
            },
            .read(Endpoints.listApps) { call in
                let moment = try call.moment()
                let apps = try await naming(at: moment.parameter) {
                    () async throws(UseCaseError) in
                    try await useCases.apps(at: moment, for: call.caller)
                }
                return AppList(apps: apps)
            },
            .read(Endpoints.getApp) { call in
                let moment = try call.moment()
                let app = try call.names()
                return try await naming(at: moment.parameter) { () async throws(UseCaseError) in
                    try await useCases.app(app, at: moment, for: call.caller)
                }
            },
            .write(Endpoints.chooseDefaultApp) { call in
                try await useCases.chooseDefaultApp(call.names, call.form, call.write)
            },
        ]
    }
}

/// `/v1/apps/{app}/settings`: what an app is called, where it is kept and in which languages.
struct SettingsController {
    let useCases: UseCases

    var handlers: [EndpointHandler<CallerContext>] {
        [
            .read(Endpoints.getSettings) { call in
                let moment = try call.moment()
                let app = try call.names()
                return try await naming(at: moment.parameter) { () async throws(UseCaseError) in
                    try await useCases.settings(of: app, at: moment, for: call.caller)
                }
            },
            .write(Endpoints.changeSettings) {
                try await useCases.changeSettings($0.form, of: $0.names, seen: $0.seen, $0.write)
            },
        ]
    }
}

/// `/v1/apps/{app}/releases`: the versions that are known to exist, and what they need.
struct ReleaseController {
    let useCases: UseCases

    var handlers: [EndpointHandler<CallerContext>] {
        [
            .read(Endpoints.listReleases) { call in
                let app = try call.names()
                var query = call.query
                let moment = query.moment()
                let platforms = query.all(
                    "platform",
                    Platform.grammar,
                    Platform.init(rawValue:)
                )
                try query.finish()
                return try await naming(at: moment.parameter) { () async throws(UseCaseError) in
                    try await useCases.releases(
                        of: app,
                        on: platforms,
                        at: moment,
                        for: call.caller
                    )
                }
            },
            .write(Endpoints.registerRelease) {
                ReleaseAnswer(try await useCases.registerRelease($0.form, at: $0.names, $0.write))
            },
            .write(Endpoints.amendRelease) {
                ReleaseAnswer(try await useCases.amendRelease($0.form, at: $0.names, $0.write))
            },
            .write(Endpoints.withdrawRelease) { call in
                // One that was taken back before stays so.
                try await useCases.performIfNews(
                    WithdrawRelease(
                        call.names.version,
                        on: call.names.platform,
                        of: call.names.app,
                        reason: call.form.reason,
                        by: call.by
                    ),
                    call.write
                )
            },
        ]
    }
}

/// `/v1/apps/{app}/shares/{platform}`: how many devices were counted with which versions.
struct SharesController {
    let useCases: UseCases

    var handlers: [EndpointHandler<CallerContext>] {
        [
            .read(Endpoints.getVersionShares) { call in
                let place = try call.names()
                let shares = try await naming { () async throws(UseCaseError) in
                    try useCases.versionShares(
                        of: place.app,
                        on: place.platform,
                        for: call.caller
                    )
                }
                return VersionSharesAnswer(
                    app: place.app,
                    platform: place.platform,
                    shares: shares
                )
            },
            .write(Endpoints.replaceVersionShares) { call in
                let (place, shares) = (call.names, call.form.shares)
                // To send the same again is done at once.
                try await useCases.performIfNews(
                    ReplaceVersionShares(
                        of: place.app,
                        on: place.platform,
                        with: shares,
                        reason: call.form.reason,
                        by: call.by
                    ),
                    call.write
                )
                return VersionSharesAnswer(
                    app: place.app,
                    platform: place.platform,
                    shares: shares
                )
            },
            .write(Endpoints.removeVersionShares) { call in
                // Where there is none it stays so.
                try await useCases.performIfNews(
                    RemoveVersionShares(
                        of: call.names.app,
                        on: call.names.platform,
                        reason: call.form.reason,
                        by: call.by
                    ),
                    call.write
                )
            },
        ]
    }
}

/// `/v1/policy` and `/v1/apps/{app}/policy`: who has to agree to what.
struct PolicyController {
    let useCases: UseCases

    var handlers: [EndpointHandler<CallerContext>] {
        [
            .read(Endpoints.getDefaultPolicy) { try await show(.all, try $0.moment(), $0.caller) },
            .write(Endpoints.changeDefaultPolicy) {
                try await useCases.changePolicy($0.form, of: .all, seen: $0.seen, $0.write)
            },
            .read(Endpoints.getPolicy) {
                try await show(.app(try $0.names()), try $0.moment(), $0.caller)
            },
            .write(Endpoints.changePolicy) {
                try await useCases.changePolicy(
                    $0.form,
                    of: .app($0.names),
                    seen: $0.seen,
                    $0.write
                )
            },
            .write(Endpoints.resetPolicy) { call in
                try await useCases.perform(
                    ChangePolicy(
                        of: .app(call.names),
                        to: nil,
                        seen: call.seen,
                        reason: call.form.reason,
                        by: call.by
                    ),
                    call.write
                )
            },
        ]
    }

    private func show(
        _ scope: Scope,
        _ moment: DocumentMoment,
        _ caller: Caller
    ) async throws -> PolicyAnswer {
        try await naming(at: moment.parameter) { () async throws(UseCaseError) in
            try await useCases.policy(of: scope, at: moment, for: caller)
        }
    }
}

/// `/v1/snapshots`: what was published.
struct PublicationController {
    let useCases: UseCases

    var handlers: [EndpointHandler<CallerContext>] {
        [
            .read(Endpoints.listSnapshots) { call in
                var query = call.query
                let app = query.one("app", "an app's slug", AppSlug.init)
                let limit = query.limit(50, most: call.facts.limitMaximum)
                let question = ["snapshots", app?.text ?? ""]
                let place = query.cursor(of: question).flatMap(SnapshotSequence.init(rawValue:))
                if app == nil { query.require("app") }
                try query.finish()
                guard let app else { preconditionFailure("a missing parameter is refused") }
                let page = try await useCases.snapshots(
                    of: app,
                    after: place,
                    limit: limit,
                    for: call.caller
                )
                return SnapshotList(
                    snapshots: page.elements,
                    next: page.next.map { Cursor(after: $0.rawValue, of: question).text }
                )
            }
        ]
    }
}

/// `/v1/edges`: who follows this instance, as far as it is about the caller's apps.
struct EdgeController {
    let useCases: UseCases
    let report: @Sendable () -> EdgeReport

    var handlers: [EndpointHandler<CallerContext>] {
        [
            .read(Endpoints.getEdges) { call in
                let apps = Set(try await useCases.apps(for: call.caller).map(\.slug))
                return report().limited(to: apps.contains)
            }
        ]
    }
}
