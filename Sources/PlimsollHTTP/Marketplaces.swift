import Hummingbird
import PlimsollAPI
import PlimsollDomain
import PlimsollMarketplace
import PlimsollService

/// `/v1/apps/{app}/marketplace`, `/listings` and `/packages`: alternative marketplaces.
struct MarketplaceController {
    let useCases: UseCases

    var handlers: [EndpointHandler<CallerContext>] {
        [
            .read(Endpoints.getMarketplace) {
                try useCases.marketplace(of: try $0.names(), for: $0.caller)
            },
            .read(Endpoints.explainInstallation, explain),
            .write(Endpoints.setMarketplace) {
                try await useCases.setMarketplace($0.form, of: $0.names, seen: $0.seen, $0.write)
            },
            .write(Endpoints.removeMarketplace) { call in
                try await useCases.perform(
                    SetMarketplace(
                        of: call.names,
                        to: nil,
                        seen: call.seen,
                        reason: call.form.reason,
                        by: call.by
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
                try await useCases.ingestPackage(call.form, of: call.names, call.write)
            },
            .write(Endpoints.announcePackage) { call in
                try await useCases.announcePackage(call.form, of: call.names, call.write)
            },
            .write(Endpoints.withdrawPackages) { call in
                try await useCases.withdrawPackages(call.form, of: call.names, call.write)
            },
        ]
    }

    private func explain(_ call: ReadCall<AppSlug>) async throws -> ExplanationAnswer {
        let marketplace = try call.names()
        var query = call.query
        let (moment, state) = (query.moment(), query.one("in", StateName.grammar, StateName.init))
        if state != nil, moment != .live {
            query.object(to: "in", code: "twoMoments", "Give in, at or event, but one only.")
        }
        let item = query.one("item", AppleItemID.grammar) { AppleItemID($0) }
        let installed = query.one("installed", AppleVersionID.grammar) { AppleVersionID($0) }
        let system = query.one("os", AppleVersion.grammar) { AppleVersion($0) }
        let platform = query.one("platform", PackagePlatform.grammar) { PackagePlatform($0) }
        for name in ["item", "os"] { query.require(name) }
        try query.finish()
        guard let item, let system else {
            preconditionFailure("a missing parameter is refused")
        }
        let place = state == nil ? moment.parameter : "in"
        return try await naming(at: place) { () async throws(UseCaseError) in
            try await useCases.explanation(
                of: item,
                in: marketplace,
                installed: installed,
                on: InstallingDevice(platform: platform ?? .ios, system: system),
                in: state ?? moment.state,
                for: call.caller
            )
        }
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
