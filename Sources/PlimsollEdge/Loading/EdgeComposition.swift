import PlimsollDocuments
import PlimsollDomain
import PlimsollMarketplace

/// Which address leads to what, once all apps and keys are put together.
struct EdgeComposition {
    let apps: [ServedApp]
    let keys: PublishedKeys?
    let log: ServedLog?
    var hosts: [KeyHost] = []
    /// Whether devices that install from a marketplace are answered.
    var answersDevices = false
    /// The app that has the addresses without a name until another one says that they are its.
    var formerDefault: AppSlug?
    /// What browsers are shown of the apps.
    var pages: [EdgePlace] = []
    /// Who hands out what was published before; `nil` where nobody does.
    var snapshots: PublishedSnapshots?
    /// The apps that are to be served, whether they are or not.
    var expected: Set<AppSlug> = []

    static let root = "/distribution"

    var table: EdgeTable {
        // Keys come first: of two resources with one address, the first is served.
        EdgeTable(
            placing: keyPlaces + (log?.places ?? []) + appPlaces + pages,
            publications: apps.map(\.publication),
            tiles: log?.tiles,
            snapshots: snapshots,
            hosts: hosts,
            marketplaces: marketplaces,
            unloaded: unloaded
        )
    }

    private var unloaded: UnloadedApps {
        .these(
            expected.subtracting(apps.map(\.publication.app)),
            hasDefault: defaultApp != nil
        )
    }

    /// Each with all apps: what one of them lists is said by the app that is listed.
    private var marketplaces: [ServedMarketplace] {
        let packages = answersDevices ? apps.compactMap(\.packages) : []
        return apps.compactMap { app in
            app.marketplace.map {
                ServedMarketplace(
                    app: app.publication.app,
                    storefront: Storefront($0, packages)
                )
            }
        }
    }

    /// Of several apps that say they are the default one, the last to be published is: the
    /// others were published before it became so.
    ///
    /// Where none says so, the one that was goes on: it may let go before the other one is loaded.
    var defaultApp: AppSlug? {
        let claiming = apps.filter(\.isDefault).max { $0.sequence < $1.sequence }
        return (claiming ?? apps.first { $0.publication.app == formerDefault })?.publication.app
    }

    private var appPlaces: [EdgePlace] {
        let defaultSlug = defaultApp
        return apps.flatMap { app in
            let slug = app.publication.app
            let own = "\(Self.root)/\(slug)"
            let folders = slug == defaultSlug ? [own, Self.root] : [own]
            return app.documents.map { place($0, of: slug, in: folders, own) }
                + app.proven.map { EdgePlace($0.resource, at: ["\(own)/\($0.name)"]) }
        }
    }

    private func place(
        _ document: ServedDocument,
        of app: AppSlug,
        in folders: [String],
        _ own: String
    ) -> EdgePlace {
        let (name, key) = (document.name, document.key)
        var place = EdgePlace(document.resource, at: ["\(own)/keys/\(key)/\(name)"])
        place.key = key
        place.keylessPaths = folders.map { "\($0)/\(name)" }
        place.leads = document.leads
        place.wellKnown = ServedMarketplace.wellKnown.first { $0.name == name }.map {
            (app: app, path: $0.path)
        }
        return place
    }

    private var keyPlaces: [EdgePlace] {
        guard let keys else { return [] }
        let list = place("keys.json", PublishedKeys.mediaType, keys.bytes)
        let files = keys.keys.map { key in
            place("keys/\(key.id).pem", "application/x-pem-file", Array(key.publicKey.pem.utf8))
        }
        return ([list] + files).compactMap { $0 }
    }

    private func place(
        _ name: String,
        _ mediaType: String,
        _ body: [UInt8]
    ) -> EdgePlace? {
        PreparedResource(body, mediaType).map { EdgePlace($0, at: ["\(Self.root)/\(name)"]) }
    }
}
