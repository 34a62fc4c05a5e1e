/// Carries the requests of an ``AdminClient`` to a service, and its answers back.
package protocol AdminTransport: Sendable {
    /// Brings the whole answer.
    func send(_ request: WebRequest) async throws(AdminError) -> WebAnswer

    /// Hands over the lines of an answer as they come, for as long as they come.
    ///
    /// An answer that is no success is returned whole instead.
    func lines(
        of request: WebRequest,
        _ take: (String) async throws(AdminError) -> Void
    ) async throws(AdminError) -> WebAnswer?
}

extension Transport: AdminTransport {}
