/// A request over HTTP, as far as this program makes them.
package struct WebRequest: Sendable {
    /// The methods that the service and other stores of documents know.
    package enum Method: String, Sendable {
        case get = "GET"
        case head = "HEAD"
        case post = "POST"
        case put = "PUT"
        case delete = "DELETE"
    }

    package let method: Method
    package let url: String
    package let headers: [(name: String, value: String)]
    package let body: [UInt8]?

    package init(
        _ method: Method,
        _ url: String,
        headers: [(name: String, value: String)] = [],
        body: [UInt8]? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

/// What came back: every byte of it, within the limits of ``Transport``.
package struct WebAnswer: Sendable {
    package let status: Int
    package let body: [UInt8]
    private let headers: [(name: String, value: String)]

    init(status: Int, headers: [(name: String, value: String)], body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The value of a header that stands once; `nil` where it is missing or repeated.
    package func header(_ name: String) -> String? {
        let found = headers.filter { $0.name.lowercased() == name.lowercased() }
        return found.count == 1 ? found[0].value : nil
    }
}
