/// A request to one of Amazon's services, before it is signed.
package struct AmazonRequest: Equatable, Sendable {
    package let method: String
    /// `https://` or `http://`, without anything after the host and port.
    package let origin: String
    /// Begins with a slash; as it goes over the wire, escapes included.
    package let path: String
    /// As they go over the wire, escapes included.
    package var query: [Field] = []
    /// `Host` and what signing adds are not among them.
    package var headers: [Field] = []
    package var body: [UInt8] = []

    /// A name and a value, of a header or of the query.
    package struct Field: Equatable, Sendable {
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package init(_ method: String, _ origin: String, _ path: String) {
        self.method = method
        self.origin = origin
        self.path = path
    }

    /// As the header has it: without the port that the scheme stands for.
    package var host: String {
        let isSecure = origin.lowercased().hasPrefix("https://")
        let authority = origin.firstRange(of: "://").map { origin[$0.upperBound...] } ?? origin[...]
        let usualPort = isSecure ? ":443" : ":80"
        return String(
            authority.hasSuffix(usualPort) ? authority.dropLast(usualPort.count) : authority
        )
    }

    package var url: String {
        let pairs = query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        return origin + path + (pairs.isEmpty ? "" : "?\(pairs)")
    }
}

/// What came back.
package struct AmazonAnswer: Equatable, Sendable {
    package let status: Int
    package let body: [UInt8]
}
