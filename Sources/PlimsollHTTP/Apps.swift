import Hummingbird
import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import PlimsollService

/// `/v1/apps`: what is kept above the line.
struct AppController {
    let useCases: UseCases

    var handlers: [EndpointHandler<CallerContext>] {
        [
            .write(Endpoints.registerApp, at: { "/v1/apps/\($0.slug)" }) { call in
                AppAnswer(try await useCases.registerApp(call.form, call.write))
            },
            .read(Endpoints.listApps) { call in
                let moment = try call.moment()
                let apps = try await naming(at: moment.parameter) {
                    () async throws(UseCaseError) in
                    try await useCases.apps(at: moment, for: call.caller)
                }
                return AppList(apps: apps.map(AppAnswer.init))
            },
            .read(Endpoints.getApp) { call in
                let moment = try call.moment()
                let app = try call.names()
                let view = try await naming(at: moment.parameter) {
                    () async throws(UseCaseError) in
                    try await useCases.app(app, at: moment, for: call.caller)
                }
                return AppAnswer(view)
            },
            .write(Endpoints.chooseDefaultApp) { call in
                let view = try await useCases.chooseDefaultApp(
                    call.names,
                    seen: call.form.from,
                    reason: call.form.reason,
                    call.write
                )
                return DefaultAppAnswer(view, isCommitted: call.write.mode == .commit)
            },
        ]
    }
}

extension AppAnswer {
    init(_ app: AppView) {
        self.init(
            slug: app.slug,
            settings: app.settings,
            isDefault: app.isDefault,
            position: app.position,
            sequence: app.published?.sequence,
            freeze: app.freeze,
            freezePlans: app.freezePlans
        )
    }
}

extension DefaultAppAnswer {
    init(_ view: DefaultAppView, isCommitted: Bool) {
        let (app, former) = (view.app, view.former)
        let before = former.map { Document(app: $0.slug, sequence: view.published?.sequence) }
        let after = Document(app: app.slug, sequence: SnapshotSequence(orderedBy: view.position))
        let now = former.map { WireFormat.all(on: $0.settings.platforms) } ?? []
        let then = WireFormat.all(on: app.settings.platforms)
        self.init(
            app: app.slug,
            from: former?.slug,
            position: isCommitted ? view.position : nil,
            addresses: WireFormat.all.filter { now.contains($0) || then.contains($0) }.map {
                Address(
                    path: "/distribution/\($0.fileName)",
                    before: now.contains($0) ? before : nil,
                    after: then.contains($0) ? after : nil
                )
            },
            keysBefore: former.map { view.keyring.activeKeys(of: $0.slug).map(\.record.id) } ?? [],
            keysAfter: view.keyring.activeKeys(of: app.slug).map(\.record.id)
        )
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
                let view = try await naming(at: moment.parameter) {
                    () async throws(UseCaseError) in
                    try await useCases.settings(of: app, at: moment, for: call.caller)
                }
                return SettingsAnswer(view)
            },
            .write(Endpoints.changeSettings) { call in
                let view = try await useCases.changeSettings(
                    of: call.names,
                    to: call.form.settings,
                    seen: call.seen,
                    reason: call.form.reason,
                    call.write
                )
                return SettingsAnswer(view)
            },
        ]
    }
}

extension SettingsAnswer {
    init(_ view: SettingsView) {
        self.init(
            app: view.app,
            settings: view.settings,
            position: view.position,
            by: view.by,
            since: view.since,
            reason: view.reason,
            refusedBy: view.unread.map { SimulationAnswer.Refuser($0) }
        )
    }
}
