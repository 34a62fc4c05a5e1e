package import PlimsollDomain
package import PlimsollJSON
package import PlimsollMarketplace

extension Endpoints {
    static let explanations: [any EndpointDeclaration] = [explainInstallation]

    package static let explainInstallation = Read<AppSlug, ExplanationAnswer>(
        .get("explainInstallation", "/v1/apps/{app}/marketplace/explain"),
        "What a device would be told of an app, and why of each newer version it is not told that.",
        query: [
            .required("item", .appleIdentifier), .optional("installed", .appleIdentifier),
            .required("os", .dottedVersion), .optional("platform", .packagePlatform),
        ] + .moment + [.optional("in", .state)]
    )
}

/// What a device would be told of an app of a marketplace, in a state of the app.
package struct ExplanationAnswer: Answer, Shaped {
    /// The app that the marketplace is.
    package let marketplace: AppSlug
    /// The app that it lists; `nil` where it lists none under the AppleItemID.
    package let app: AppSlug?
    package let state: StateName
    package let position: Position
    package let explanation: Explanation

    package init(
        marketplace: AppSlug,
        app: AppSlug?,
        state: StateName,
        position: Position,
        explanation: Explanation
    ) {
        (self.marketplace, self.app, self.state) = (marketplace, app, state)
        (self.position, self.explanation) = (position, explanation)
    }

    package static let shape = Shape<Self>(
        "Explanation",
        Self.init(marketplace:app:state:position:explanation:),
        .required("marketplace", \.marketplace, .slug),
        .nullable("app", \.app, .slug),
        .required("state", \.state, .state),
        .required("position", \.position, .position),
        .part(\.explanation, Explanation.shape)
    )
}

extension Explanation {
    fileprivate static let shape = Shape<Self>(
        nil,
        { item, platform, system, installed, restore, updates, newer, awaited, hours in
            Self(
                item: item,
                device: InstallingDevice(platform: platform, system: system),
                installed: installed,
                restore: restore,
                updates: updates,
                newer: newer,
                awaited: awaited,
                hours: hours
            )
        },
        .required("item", \.item, .appleItemID),
        .required("platform", \.device.platform, .packagePlatform),
        .required("os", \.device.system, .appleVersion),
        .nullable("installed", \.installed, .appleVersionID),
        .nullable("restore", \.restore, .object(Told.shape)),
        .required("updates", \.updates, .object(Told.shape)),
        .required("newer", \.newer, .objects(Version.shape)),
        .required("awaited", \.awaited, .array(of: .package)),
        .required("hours", \.hours, .integer(from: 24))
    )
}

extension Explanation.Told {
    fileprivate static let shape = Shape<Self>(
        "DeviceIsTold",
        Self.init(_:_:_:),
        .required("verdict", \.verdict, .names),
        .nullable("version", \.version, .appleVersionID),
        .nullable("reason", \.reason, .names)
    )
    .telling(.required("because", \.sentence, .string))
}

extension Explanation.Version {
    fileprivate static let shape = Shape<Self>(
        "NewerVersion",
        { Self($0, $1, $2, needed: $3) },
        .required("version", \.version, .appleVersionID),
        .nullable("shortVersion", \.shortVersion, .label),
        .required("standing", \.standing, .names),
        .nullable("needs", \.needed, .appleVersion)
    )
    .telling(.required("because", \.sentence, .string))
}
