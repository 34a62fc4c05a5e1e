/// What witnesses bring to the transparency log.
extension AdminClient {
    /// Brings a checkpoint with the lines of witnesses under it; the same may be sent again.
    package func addCosignatures(_ note: [UInt8]) async throws(AdminError) {
        let request = WebRequest(
            .post,
            address.url("/v1/log/cosignatures"),
            headers: headers() + [("Content-Type", "text/plain; charset=utf-8")],
            body: note
        )
        _ = try await granted(request)
    }
}
