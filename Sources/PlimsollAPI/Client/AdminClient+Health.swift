/// `/healthz`, `/readyz` and `/metrics`, which ask nobody for a token.
extension AdminClient {
    package func health() async throws(AdminError) -> HealthAnswer {
        try await get("/healthz")
    }

    /// Refused with what is missing while the service does not do its work.
    package func readiness() async throws(AdminError) -> HealthAnswer {
        try await get("/readyz")
    }

    /// What the service's clock says, in the form of the header `Date` (RFC 9110, 5.6.7).
    package func clock() async throws(AdminError) -> String? {
        let request = WebRequest(.get, address.url("/healthz"), headers: headers())
        return try await granted(request).header("Date")
    }

    /// What the instance that answers has counted and measured, as Prometheus reads it.
    package func metrics() async throws(AdminError) -> String {
        let request = WebRequest(.get, address.url("/metrics"), headers: headers())
        return String(decoding: try await granted(request).body, as: UTF8.self)
    }
}
