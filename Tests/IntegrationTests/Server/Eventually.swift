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

/// Expects that what is measured takes less than its bars, in the same order.
///
/// A busy machine may hold up one of three tries.
@discardableResult
func expect(
    below bars: Duration...,
    sourceLocation: SourceLocation = #_sourceLocation,
    measuring measure: () async throws -> [Duration]
) async throws -> [[Duration]] {
    let isBelow: ([Duration]) -> Bool = { zip($0, bars).allSatisfy { $0 < $1 } }
    var tries: [[Duration]] = []
    while tries.count < 3 {
        let times = try await measure()
        tries.append(times)
        #expect(
            times.allSatisfy { $0 < .seconds(20) },
            "\(times)",
            sourceLocation: sourceLocation
        )
        if tries.count == 1, isBelow(times) { return tries }
    }
    let message: Comment = "\(tries), more than one not below \(bars)"
    #expect(tries.count(where: isBelow) > 1, message, sourceLocation: sourceLocation)
    return tries
}
