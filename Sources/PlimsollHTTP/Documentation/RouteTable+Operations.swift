import HTTPTypes
import PlimsollAPI

extension RouteTable {
    static let operations = [
        RouteDescription(
            method: .get,
            path: "/healthz",
            name: "getHealth",
            summary: "Liveness: 200 while the process runs.",
            answer: .init(schema: "Health")
        ),
        RouteDescription(
            method: .get,
            path: "/readyz",
            name: "getReadiness",
            summary: "Readiness: 200 while the service does its work.",
            answer: .init(schema: "Health")
        ),
        RouteDescription(
            method: .get,
            path: "/metrics",
            name: "getMetrics",
            summary: "Metrics in the form that Prometheus reads.",
            answer: .init(schema: nil, mediaTypes: [.plainText])
        ),
        RouteDescription(
            method: .get,
            path: "/problems/{problem}",
            name: "getProblem",
            summary: "Explains a kind of problem and how to clear it, for people.",
            answer: .init(schema: nil, mediaTypes: [.html])
        ),
        RouteDescription(
            method: .get,
            path: "/openapi.json",
            name: "getDescription",
            summary: "This description."
        ),
    ]
}
