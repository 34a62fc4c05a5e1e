import Hummingbird
import PlimsollAPI
import PlimsollDomain
import PlimsollService

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
                let view = try await naming(at: moment.parameter) {
                    () async throws(UseCaseError) in
                    try await useCases.releases(of: app, at: moment, for: call.caller)
                }
                let releases = view.book.all.filter {
                    platforms.isEmpty || platforms.contains($0.platform)
                }
                return ReleaseList(app: app, position: view.position, releases: releases)
            },
            .write(Endpoints.registerRelease) { call in
                let (place, facts) = (call.names, call.form.facts)
                let release = try await useCases.registerRelease(
                    Release(platform: place.platform, version: place.version, facts: facts),
                    of: place.app,
                    reason: call.form.reason,
                    call.write
                )
                return ReleaseAnswer(release)
            },
            .write(Endpoints.amendRelease) { call in
                let release = try await useCases.amendRelease(
                    call.names.version,
                    on: call.names.platform,
                    of: call.names.app,
                    edits: call.form.edits,
                    reason: call.form.reason,
                    call.write
                )
                return ReleaseAnswer(release)
            },
            .write(Endpoints.withdrawRelease) { call in
                try await useCases.withdrawRelease(
                    call.names.version,
                    on: call.names.platform,
                    of: call.names.app,
                    reason: call.form.reason,
                    call.write
                )
            },
        ]
    }
}
