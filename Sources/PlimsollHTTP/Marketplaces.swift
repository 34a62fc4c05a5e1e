import Hummingbird
import PlimsollAPI
import PlimsollDomain
import PlimsollService

/// `/v1/apps/{app}/marketplace`, `/listings` and `/packages`: alternative marketplaces.
struct MarketplaceController {
    let useCases: UseCases

    var handlers: [EndpointHandler<CallerContext>] {
        [
            .read(Endpoints.getMarketplace) {
                try useCases.marketplace(of: try $0.names(), for: $0.caller)
            },
            .write(Endpoints.setMarketplace) { call in
                try await useCases.setMarketplace(
                    of: call.names,
                    to: call.form.marketplace,
                    seen: call.seen,
                    reason: call.form.reason,
                    call.write
                )
            },
            .write(Endpoints.removeMarketplace) { call in
                try await useCases.perform(
                    SetMarketplace(
                        of: call.names,
                        to: nil,
                        seen: call.seen,
                        reason: call.form.reason,
                        by: call.write.caller.principal
                    ),
                    call.write
                )
            },
            .write(Endpoints.listApp) { call in
                try await list(call.names, as: call.form.listing, call.form.reason, call.write)
                return ListingAnswer(
                    app: call.names.app,
                    marketplace: call.names.marketplace,
                    listing: call.form.listing
                )
            },
            .write(Endpoints.unlistApp) { call in
                try await list(call.names, as: nil, call.form.reason, call.write)
            },
            .read(Endpoints.listPackages) {
                try useCases.packages(of: try $0.names(), for: $0.caller)
            },
            .write(Endpoints.ingestPackage) { call in
                try await useCases.ingestPackage(
                    call.form.package,
                    of: call.names,
                    reason: call.form.reason,
                    call.write
                )
            },
            .write(Endpoints.withdrawPackages) { call in
                let withdrawal = PackageWithdrawal(
                    versions: call.form.versions,
                    ids: call.form.packages,
                    isDemanded: false
                )
                return try await useCases.withdrawPackages(
                    withdrawal,
                    of: call.names,
                    reason: call.form.reason,
                    call.write
                )
            },
        ]
    }

    private func list(
        _ names: AppMarketplace,
        as listing: Listing?,
        _ reason: Reason?,
        _ write: WriteRequest
    ) async throws {
        try await useCases.perform(
            ListApp(
                names.app,
                in: names.marketplace,
                as: listing,
                reason: reason,
                by: write.caller.principal
            ),
            write
        )
    }
}
