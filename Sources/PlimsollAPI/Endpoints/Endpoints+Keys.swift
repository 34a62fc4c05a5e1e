package import PlimsollDomain

extension Endpoints {
    static let keys: [any EndpointDeclaration] = [
        listKeys, getKey, addKey, activateKey, retireKey, compromiseKey,
    ]

    package static let listKeys = Read<NoNames, KeyList>(
        .get("listKeys", "/v1/keys"),
        "The public halves of the signing keys."
    )

    package static let getKey = Read<KeyID, KeyAnswer>(
        .get("getKey", "/v1/keys/{key}"),
        "One signing key."
    )

    package static let addKey = Write<AppSlug, KeyForm, KeyAnswer>(
        .post("addKey", "/v1/apps/{app}/keys"),
        "Add a key that clients can learn; it signs nothing yet.",
        status: 201
    )

    package static let activateKey = Endpoint<KeyID, SeenKey, ReasonForm, KeyAnswer>(
        .post("activateKey", "/v1/keys/{key}/activate"),
        "Start signing with a key, besides those that sign already.",
        takes: "KeyTurn"
    )

    package static let retireKey = Endpoint<KeyID, SeenKey, ReasonForm, KeyAnswer>(
        .post("retireKey", "/v1/keys/{key}/retire"),
        "Stop signing with a key.",
        takes: "KeyTurn"
    )

    package static let compromiseKey = Write<KeyID, MandatoryReasonForm, KeyAnswer>(
        .post("compromiseKey", "/v1/keys/{key}/compromise"),
        "Stop using a stolen key at once; the other keys sign instead.",
        takes: "Compromise"
    )
}
