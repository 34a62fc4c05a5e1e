package import PlimsollDomain

extension Endpoints {
    static let marketplaces: [any EndpointDeclaration] = [
        getMarketplace, setMarketplace, removeMarketplace, explainInstallation, listApp, unlistApp,
        listPackages, ingestPackage, announcePackage, withdrawPackages, listNotifications,
        dropNotifications, forgetAccount, takeNotification,
    ]

    package static let getMarketplace = Read<AppSlug, MarketplaceAnswer>(
        .get("getMarketplace", "/v1/apps/{app}/marketplace"),
        "The alternative marketplace that an app is."
    )

    package static let setMarketplace = Endpoint<
        AppSlug, SeenMarketplace, MarketplaceForm, MarketplaceAnswer
    >(
        .put("setMarketplace", "/v1/apps/{app}/marketplace"),
        "Make an app an alternative marketplace, or say anew what it is."
    )

    package static let removeMarketplace = Endpoint<
        AppSlug, SeenMarketplace, ReasonForm, DryRunAnswer
    >(
        .delete("removeMarketplace", "/v1/apps/{app}/marketplace"),
        "An app is no marketplace any more.",
        takes: "MarketplaceRemoval"
    )

    package static let explainInstallation = Read<AppSlug, ExplanationAnswer>(
        .get("explainInstallation", "/v1/apps/{app}/marketplace/explain"),
        "What a device would be told of an app, and why of each newer version it is not told that.",
        query: [
            .required("item", .appleIdentifier), .optional("installed", .appleIdentifier),
            .required("os", .dottedVersion), .optional("platform", .packagePlatform),
        ] + .moment + [.optional("in", .state)]
    )

    package static let listApp = Write<AppMarketplace, ListingForm, ListingAnswer>(
        .put("listApp", "/v1/apps/{app}/listings/{marketplace}"),
        "List an app in a marketplace."
    )

    package static let unlistApp = Write<AppMarketplace, ReasonForm, DryRunAnswer>(
        .delete("unlistApp", "/v1/apps/{app}/listings/{marketplace}"),
        "Take an app out of a marketplace.",
        takes: "ListingRemoval"
    )

    package static let listPackages = Read<AppSlug, PackageList>(
        .get("listPackages", "/v1/apps/{app}/packages"),
        "Where an app is listed, its packages, and which of them are offered."
    )

    package static let ingestPackage = Write<AppSlug, PackageForm, PackageAnswer>(
        .post("ingestPackage", "/v1/apps/{app}/packages"),
        "Make a package known that devices can fetch; once more changes nothing."
    )

    package static let announcePackage = Write<AppSlug, AnnouncementForm, PackageList>(
        .post("announcePackage", "/v1/apps/{app}/packages/announce"),
        "Make known that a package will come; once more changes nothing."
    )

    package static let withdrawPackages = Write<AppSlug, PackageWithdrawalForm, WithdrawalAnswer>(
        .post("withdrawPackages", "/v1/apps/{app}/packages/withdraw"),
        "Withdraw packages for ever, at once."
    )
}

extension Endpoints {
    package static let listNotifications = Read<NoNames, NotificationList>(
        .get("listNotifications", "/v1/notifications"),
        "Notifications from Apple that nothing followed from yet."
    )

    package static let dropNotifications = Write<NoNames, NotificationDropForm, DryRunAnswer>(
        .post("dropNotifications", "/v1/notifications/drop"),
        "Let go of the notifications that wait for an app to be listed."
    )

    package static let forgetAccount = Write<NoNames, AccountForm, AccountAnswer>(
        .post("forgetAccount", "/v1/accounts/forget"),
        "Erase which apps an account had, for good.",
        mayMeet: [.keyUnusable]
    )

    package static let takeNotification = Endpoint<
        NoNames, Unbound, Bytes, NotificationAnswer
    >(
        .post("takeNotification", "/marketplace/notifications"),
        "Takes what Apple tells a marketplace, signed in x-apple-signature.",
        takesFile: .json,
        mayMeet: [.unauthenticated, .malformedJSON, .tooLarge, .unavailable]
    )
}

/// An app and the marketplace that another is: `/v1/apps/{app}/listings/{marketplace}`.
package struct AppMarketplace: PathNames {
    package let app: AppSlug
    package let marketplace: AppSlug

    package init(_ app: AppSlug, _ marketplace: AppSlug) {
        (self.app, self.marketplace) = (app, marketplace)
    }

    package init(_ reader: PathReader) throws(Problem) {
        app = try AppSlug(reader)
        marketplace = try reader.name("marketplace") { AppSlug($0) }
    }

    package var texts: [String] { [app.text, marketplace.text] }
}
