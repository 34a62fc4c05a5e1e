import Hummingbird
import PlimsollAPI

extension RouteTable {
    static let log = [
        RouteDescription(
            method: .get,
            path: "/v1/log/checkpoint",
            name: "getLogCheckpoint",
            summary: "The newest signed checkpoint over the record.",
            answer: .init(schema: nil, mediaTypes: [.plainText])
        ),
        RouteDescription(
            method: .get,
            path: "/v1/log/key",
            name: "getLogKey",
            summary: "The verifier key of the transparency log.",
            answer: .init(schema: nil, mediaTypes: [.plainText])
        ),
        tile("", "getLogTile", "A tile; the level may be entries."),
        tile("/{second}", "getLogTilePart", "A partial tile, or one behind the first thousand."),
        tile(
            "/{second}/{third}",
            "getLogTilePartBeyond",
            "A partial tile behind the first thousand, or a tile behind the first million."
        ),
        RouteDescription(
            method: .get,
            path: "/v1/events/{position}/proof",
            name: "getEventProof",
            summary: "The proof that an event is in the newest checkpoint (C2SP tlog-proof).",
            answer: .init(schema: nil, mediaTypes: [.plainText])
        ),
    ]

    private static func tile(
        _ rest: String,
        _ name: String,
        _ summary: String
    ) -> RouteDescription {
        RouteDescription(
            method: .get,
            path: "/v1/log/tile/{level}/{first}\(rest)",
            name: name,
            summary: summary,
            answer: .init(schema: nil, mediaTypes: [.octets])
        )
    }
}
