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
        RouteDescription(
            method: .get,
            path: "/v1/log/tile/{level}/{index}",
            name: "getLogTile",
            summary: "A tile: its level, or entries, and its index in parts such as x001/234.p/5.",
            answer: .init(schema: nil, mediaTypes: [.octets]),
            isDeep: true
        ),
        RouteDescription(
            method: .post,
            path: "/v1/log/cosignatures",
            name: "addCosignatures",
            summary: "Adds the lines of witnesses to a checkpoint, which is sent with them.",
            bytes: .plainText,
            answer: .init(schema: nil, mediaTypes: [.plainText])
        ),
        RouteDescription(
            method: .get,
            path: "/v1/events/{position}/proof",
            name: "getEventProof",
            summary: "The proof that an event is in the newest checkpoint (C2SP tlog-proof).",
            answer: .init(schema: nil, mediaTypes: [.plainText])
        ),
    ]
}
