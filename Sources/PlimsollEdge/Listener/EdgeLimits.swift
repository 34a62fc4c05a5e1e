/// What one client may ask of the listener, in bytes, fields and time.
///
/// The defaults are for a public port. Tests pass short times.
package struct EdgeLimits: Sendable {
    /// Of the request line and the fields together; beyond it 431.
    package var headSizeMaximum = 8192
    /// Beyond it 414.
    package var targetLengthMaximum = 2048
    /// Beyond it 431.
    package var fieldCountMaximum = 100
    /// Of a body that comes with `GET` or `HEAD`, although nobody reads it; beyond it 413.
    package var bodySizeMaximum: UInt64 = 65_536
    /// From the first byte of a head to its last; beyond it 408.
    package var headTimeout: Duration = .seconds(10)
    /// Without a request, or without taking what was answered.
    package var idleTimeout: Duration = .seconds(75)
    /// For the client to close after the last answer; closing at once could destroy it.
    package var lingerTimeout: Duration = .seconds(2)
    /// For requests under way when the service stops.
    package var drainTimeout: Duration = .seconds(5)
    /// On all event loops together, or fewer where the system allows few files; beyond it 503.
    package var connectionsMaximum = 50_000
    /// How often dates are renewed, times looked at and counts reported.
    package var tickInterval: Duration = .seconds(1)

    package init() {}
}
