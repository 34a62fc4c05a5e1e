import Hummingbird
import PlimsollAPI
import PlimsollDomain
import PlimsollService

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
                try await useCases.replaceVersionShares(
                    of: place.app,
                    on: place.platform,
                    with: shares,
                    reason: call.form.reason,
                    call.write
                )
                return VersionSharesAnswer(
                    app: place.app,
                    platform: place.platform,
                    shares: shares
                )
            },
            .write(Endpoints.removeVersionShares) { call in
                try await useCases.removeVersionShares(
                    of: call.names.app,
                    on: call.names.platform,
                    reason: call.form.reason,
                    call.write
                )
            },
        ]
    }
}
