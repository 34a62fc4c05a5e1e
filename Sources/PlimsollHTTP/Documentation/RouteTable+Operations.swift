import HTTPTypes
import PlimsollAPI

extension RouteTable {
    static let operations = [
        RouteDescription(
            method: .get,
            path: "/healthz",
            name: "getHealth",
            summary: "Whether the process lives.",
            answer: .init(schema: "Health")
        ),
        RouteDescription(
            method: .get,
            path: "/readyz",
            name: "getReadiness",
            summary: "Whether the service does its work.",
            answer: .init(schema: "Health")
        ),
        RouteDescription(
            method: .get,
            path: "/metrics",
            name: "getMetrics",
            summary: "What was counted and measured, for Prometheus.",
            answer: .init(schema: nil, mediaTypes: [.plainText])
        ),
        RouteDescription(
            method: .get,
            path: "/problems/{problem}",
            name: "getProblem",
            summary: "What a kind of problem means and how to clear it, for people.",
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
