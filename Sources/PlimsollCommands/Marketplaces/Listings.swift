import ArgumentParser
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// `plimsoll marketplace listing`: where an app can be had.
struct ListingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "listing",
        abstract: "List an app in a marketplace, or take it out.",
        discussion: "For example: plimsoll marketplace listing list --app harbour",
        subcommands: [
            ListListingsCommand.self, SetListingCommand.self, RemoveListingCommand.self,
        ],
        aliases: ["listings"]
    )
}

/// `plimsoll marketplace listing list`.
struct ListListingsCommand: ReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show the marketplaces that list an app.",
        discussion: "For example: plimsoll marketplace listing list --app harbour"
    )

    @OptionGroup var app: AppOption
    @OptionGroup var common: CommonOptions

    func report(_ client: AdminClient, _ output: Output) async throws -> Report {
        let list = try await client.call(Endpoints.listPackages, try await app.slug(client))
        let json: JSONObject = [
            "app": .string(list.app.text), "position": JSONValue(list.position),
            "listings": .array(list.listings.map { .object($0.json) }),
        ]
        let none = "No marketplace lists it; plimsoll marketplace listing set does that."
        return Report(json, table(list.listings).blocks(none: none))
    }
}

private func table(_ listings: [ListingAnswer]) -> Table {
    Table(
        ["MARKETPLACE", "ITEM", "BUNDLE"],
        listings.map { [$0.marketplace.text, $0.listing.item.text, $0.listing.bundle.text] }
    )
}

/// An app, and the marketplace that is named before it.
struct ListingArguments: ParsableArguments {
    @Argument(help: "The app that the marketplace is.")
    var marketplace: AppSlug
    @OptionGroup var app: AppOption

    func place(_ client: AdminClient) async throws -> AppMarketplace {
        AppMarketplace(try await app.slug(client), marketplace)
    }
}

/// `plimsoll marketplace listing set`: an app can be had in a marketplace.
struct SetListingCommand: FormCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "List an app in a marketplace, or say anew under which ids.",
        discussion: """
            Nothing is handed out by that alone: which packages are offered is a change.

            For example:
              plimsoll marketplace listing set tidewater --app harbour --item 10737747186 \\
                --bundle org.example.harbour
            """
    )

    @OptionGroup var place: ListingArguments
    @Option(help: "Its AppleItemID.")
    var item: AppleItemID
    @Option(help: "The name of its bundle.")
    var bundle: BundleID
    @Option(help: "Why; it is kept with the event.")
    var reason: String?
    @OptionGroup var writing: WritingOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let form = ListingForm(
            listing: Listing(item: item, bundle: bundle),
            reason: try Reason(written: reason)
        )
        return try await write(Endpoints.listApp, place.place, form, output) { listing in
            Receipt(
                [.table(table([listing]))],
                "Its packages are made known with: plimsoll marketplace package ingest --app"
                    + " \(listing.app)"
            )
        }
    }
}

/// `plimsoll marketplace listing remove`: an app cannot be had there any more.
struct RemoveListingCommand: FormCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Take an app out of a marketplace.",
        discussion: """
            An administrator of the app does it, or one of the marketplace. Devices are told then that \
            the app is not sold there.

            For example:
              plimsoll marketplace listing remove tidewater --app harbour \\
                --reason "Contract over"
            """
    )

    @OptionGroup var place: ListingArguments
    @Option(help: "Why; it is kept with the event.")
    var reason: String?
    @OptionGroup var writing: WritingOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let form = ReasonForm(reason: try Reason(written: reason))
        return try await write(Endpoints.unlistApp, place.place, form, output) { place in
            "\(place.marketplace) does not list \(place.app) any more."
        }
    }
}
