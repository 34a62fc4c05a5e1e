package import PlimsollDomain
import PlimsollJSON

extension Endpoints {
    static let events: [any EndpointDeclaration] = [listEvents, getEvent]

    static let log: [any EndpointDeclaration] = [
        getLogCheckpoint, getLogKey, getLogTile, addCosignatures, getEventProof,
    ]

    package static let listEvents = Read<NoNames, EventList>(
        .get("listEvents", "/v1/events"),
        "The record, newest first; a filter that is repeated means either.",
        query: [
            .repeatable("app", .slug), .repeatable("type", .names(EventBody.types)),
            .repeatable("actor", .principal), .repeatable("platform", .platform),
            .repeatable("field", .field), .repeatable("change", .change),
            .repeatable("correlation", .uuid), .repeatable("reason", .string),
            .optional("since", .oneOf([.instant, .position])),
            .optional("until", .oneOf([.instant, .position])),
            .optional("order", .names(EventFilter.Order.self)),
            .optional("with", .names(EventFilter.Addition.self)),
        ] + .paging(most: 1000),
        as: [.json, .ndjson, .csv, .eventStream]
    )

    package static let getEvent = Read<Position, EventAnswer>(
        .get("getEvent", "/v1/events/{position}"),
        "One event.",
        as: [.json, .ndjson]
    )

    package static let getLogCheckpoint = Read<NoNames, Bytes>(
        .get("getLogCheckpoint", "/v1/log/checkpoint"),
        "The newest signed checkpoint over the record.",
        as: [.plainText],
        isFile: true
    )

    package static let getLogKey = Read<NoNames, Bytes>(
        .get("getLogKey", "/v1/log/key"),
        "The verifier key of the transparency log.",
        as: [.plainText],
        isFile: true
    )

    package static let getLogTile = Read<NoNames, Bytes>(
        .get("getLogTile", "/v1/log/tile/{level}/{index}"),
        "A tile: its level, or entries, and its index in parts such as x001/234.p/5.",
        as: [.octets],
        isFile: true,
        isDeep: true
    )

    package static let addCosignatures = Endpoint<NoNames, Unbound, Bytes, Bytes>(
        .post("addCosignatures", "/v1/log/cosignatures"),
        "Adds the lines of witnesses to a checkpoint, which is sent with them.",
        takesFile: .plainText
    )

    package static let getEventProof = Read<Position, Bytes>(
        .get("getEventProof", "/v1/events/{position}/proof"),
        "The proof that an event is in the newest checkpoint (C2SP tlog-proof).",
        as: [.plainText]
    )
}

extension Endpoints {
    static let operations: [any EndpointDeclaration] = [
        getHealth, getReadiness, getMetrics, getProblem, getDescription,
    ]

    package static let getHealth = Read<NoNames, HealthAnswer>(
        .get("getHealth", "/healthz"),
        "Liveness: 200 while the process runs."
    )

    package static let getReadiness = Read<NoNames, HealthAnswer>(
        .get("getReadiness", "/readyz"),
        "Readiness: 200 while the service does its work.",
        mayMeet: [.unavailable]
    )

    package static let getMetrics = Read<NoNames, Bytes>(
        .get("getMetrics", "/metrics"),
        "Metrics in the form that Prometheus reads.",
        as: [.plainText]
    )

    package static let getProblem = Read<NoNames, Bytes>(
        .get("getProblem", "/problems/{problem}"),
        "Explains a kind of problem and how to clear it, for people.",
        as: [.html]
    )

    package static let getDescription = Read<NoNames, Bytes>(
        .get("getDescription", "/openapi.json"),
        "This description."
    )
}
