import Testing

/// Looks until there is something; fails the test after three minutes.
///
/// Only for what the outside world has to bring about: a process that starts, a document that is
/// published.
@discardableResult
func eventually<Value>(
    _ what: String,
    _ look: () async throws -> Value?
) async throws -> Value {
    let deadline = ContinuousClock.now + .seconds(180)
    while true {
        if let value = try await look() { return value }
        try #require(ContinuousClock.now < deadline, "waited in vain: \(what)")
        try await Task.sleep(for: .milliseconds(20))
    }
}
