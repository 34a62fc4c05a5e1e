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
