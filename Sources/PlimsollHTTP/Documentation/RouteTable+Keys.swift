import HTTPTypes

extension RouteTable {
    static let keys = [
        RouteDescription(
            method: .get,
            path: "/v1/keys",
            name: "listKeys",
            summary: "The public halves of the signing keys.",
            answer: .init(schema: "KeyList")
        ),
        RouteDescription(
            method: .get,
            path: "/v1/keys/{key}",
            name: "getKey",
            summary: "One signing key.",
            answer: .init(schema: "Key")
        ),
        RouteDescription(
            method: .post,
            path: "/v1/apps/{app}/keys",
            name: "addKey",
            summary: "Add a key that clients can learn; it signs nothing yet.",
            body: "KeyOrder",
            answer: .init(schema: "Key"),
            status: 201
        ),
        RouteDescription(
            method: .post,
            path: "/v1/keys/{key}/activate",
            name: "activateKey",
            summary: "Start signing with a key, besides those that sign already.",
            body: "KeyTurn",
            answer: .init(schema: "Key"),
            bindsToKey: true
        ),
        RouteDescription(
            method: .post,
            path: "/v1/keys/{key}/retire",
            name: "retireKey",
            summary: "Stop signing with a key.",
            body: "KeyTurn",
            answer: .init(schema: "Key"),
            bindsToKey: true
        ),
        RouteDescription(
            method: .post,
            path: "/v1/keys/{key}/compromise",
            name: "compromiseKey",
            summary: "Stop using a stolen key at once; the other keys sign instead.",
            body: "Compromise",
            answer: .init(schema: "Key")
        ),
    ]
}
