package import Testing

/// Looks until something is so; fails the test when it was not for too long.
///
/// Only for what happens beside the test: a message that arrives, an event that is recorded.
package func eventually(
    _ what: String = "what is waited for",
    within limit: Duration = .seconds(120),
    sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + limit
    while try await !condition() {
        try #require(
            ContinuousClock.now < deadline,
            "waited in vain: \(what)",
            sourceLocation: sourceLocation
        )
        try await Task.sleep(for: .milliseconds(5))
    }
}
