import Hummingbird

/// Every route there is; the router is held against it, and the documentation is made from it.
struct RouteTable {
    let routes: [RouteDescription]

    static let service = RouteTable(
        routes: apps + documents + changes + schedules + policies + freezes + emergencies + reviews
            + checks + releases
            + records + keys + log + access + webhooks + webhookMessages
            + operations
    )

    /// What is answered at an address of its own as well.
    static let health = RouteTable(
        routes: service.routes.filter { ["/healthz", "/readyz"].contains($0.path) }
    )

    /// The methods that lead somewhere at the path, or `nil` where nothing is.
    func methods(at path: String) -> [String]? {
        let found = routes.filter { $0.leads(from: path) }.map(\.method)
        guard !found.isEmpty else { return nil }
        let heads: [HTTPRequest.Method] = found.contains(.get) ? [.head] : []
        return Set(found + heads + [.options]).map(\.rawValue).sorted()
    }
}

extension RouteTable {
    typealias Parameter = RouteDescription.Parameter

    /// The point in the life of the service that an answer is of.
    static let moment = [
        Parameter(name: "at", schema: .instant),
        Parameter(name: "event", schema: .position),
    ]

    /// Which part of a list.
    static func paging(most maximum: Int) -> [Parameter] {
        [
            Parameter(name: "limit", schema: .integer(from: 1, to: Int64(maximum))),
            Parameter(name: "cursor", schema: .cursor),
        ]
    }
}
