import HTTPTypes
import Hummingbird
import PlimsollAPI

/// Endpoints as an address leads to them.
struct RouteTable {
    let routes: [EndpointFacts]

    static let service = RouteTable(routes: Endpoints.all)

    /// What is answered at an address of its own as well.
    static let health = RouteTable(
        routes: [Endpoints.getHealth.facts, Endpoints.getReadiness.facts]
    )

    /// The methods that lead somewhere at the path, or `nil` where nothing is.
    func methods(at path: String) -> [String]? {
        let found = routes.filter { $0.leads(from: path) }.map(\.httpMethod)
        guard !found.isEmpty else { return nil }
        let heads: [HTTPRequest.Method] = found.contains(.get) ? [.head] : []
        return Set(found + heads + [.options]).map(\.rawValue).sorted()
    }

    /// The names of endpoints that nobody answers, or more than one, or that are not in the table.
    func unmatched(by handled: [EndpointFacts]) -> [String] {
        let known = routes.map(\.name)
        let counts = Dictionary(grouping: handled.map(\.name), by: \.self).mapValues(\.count)
        return known.filter { counts[$0] != 1 } + Set(counts.keys).subtracting(known).sorted()
    }
}

extension EndpointFacts {
    var httpMethod: HTTPRequest.Method {
        switch method {
        case .get: .get
        case .head: .head
        case .post: .post
        case .put: .put
        case .delete: .delete
        }
    }

    /// The path as the router writes it.
    var routerPath: String {
        guard isDeep, let end = path.lastIndex(of: "/") else { return path }
        return path[..<end] + "/**"
    }

    /// Whether the path leads here; nothing between two slashes is a segment too.
    func leads(from path: String) -> Bool {
        let own = self.path.split(separator: "/", omittingEmptySubsequences: false)
        var asked = path.split(separator: "/", omittingEmptySubsequences: false)
        if asked.count > 2, asked.last == "" { asked.removeLast() }
        return (isDeep ? own.count <= asked.count : own.count == asked.count)
            && zip(own, asked).allSatisfy { $0 == $1 || $0.hasPrefix("{") && !$1.isEmpty }
    }
}
