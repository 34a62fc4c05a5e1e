package import PlimsollDomain

/// `/v1/events` and `/v1/snapshots`: what happened and what was published.
extension AdminClient {
    /// Newest first.
    package func events(
        _ filter: EventFilter = EventFilter(),
        _ page: PageOptions = PageOptions()
    ) async throws(AdminError) -> EventList {
        try await get("/v1/events", filter.query + page.query)
    }

    package func event(_ position: Position) async throws(AdminError) -> EventAnswer {
        try await get("/v1/events/\(position)")
    }

    package func snapshots(
        of app: AppSlug,
        _ page: PageOptions = PageOptions()
    ) async throws(AdminError) -> SnapshotList {
        try await get("/v1/snapshots", [("app", app.text)] + page.query)
    }
}
