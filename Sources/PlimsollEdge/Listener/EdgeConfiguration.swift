/// Where the edge listens, with how many threads, and within which limits.
package struct EdgeConfiguration: Sendable {
    package var host: String
    /// 0 lets the system choose; ``EdgeService/address()`` says what it chose.
    package var port: Int
    /// One for each processor that the process may use, unless told otherwise.
    package var threads: Int
    package var limits: EdgeLimits
    /// What is shown to clients that speak TLS; nil for a listener that speaks plain HTTP.
    package var tls: TLSSource?

    package init(
        host: String = "127.0.0.1",
        port: Int,
        threads: Int? = nil,
        limits: EdgeLimits = EdgeLimits(),
        tls: TLSSource? = nil
    ) {
        precondition((0...65_535).contains(port), "a port is a number of sixteen bits")
        let threads = threads ?? Processors.count
        precondition(threads > 0, "somebody has to answer")
        self.host = host
        self.port = port
        self.threads = threads
        self.limits = limits
        self.tls = tls
    }
}

/// Where the edge is reached.
package struct EdgeAddress: Equatable, Sendable {
    package let host: String
    package let port: Int
}

extension EdgeAddress: CustomStringConvertible {
    package var description: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
